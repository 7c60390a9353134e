import Foundation

/// A container that lays out its components in a row or a column; the root of most views.
public struct FlexBox: DisplayableView, ViewComponent {
    /// What the container consists of.
    public var element: ViewElement

    /// A container for `content`.
    ///
    /// - Parameters:
    ///   - direction: which way the components follow one another.
    ///   - spacing: pixels between two of them, 0 to 10,000.
    ///   - alignment: where they stand along the direction.
    ///   - crossAlignment: where they stand across it.
    ///   - wrap: whether those that do not fit begin another line.
    ///   - padding: empty room inside the container's edges.
    ///   - content: the components; none shows an empty container.
    public init(
        direction: Direction = .column, spacing: CGFloat = 0, alignment: Alignment = .start,
        crossAlignment: Alignment = .stretch, wrap: Bool = false, padding: EdgeInsets = EdgeInsets(all: 0),
        @ComponentBuilder content: () -> [any ViewComponent]
    ) {
        let box = DisplayFlexBox(
            direction: direction, spacing: spacing, alignment: alignment, crossAlignment: crossAlignment, wrap: wrap,
            background: .none, children: [])
        element = ViewElement(.flexBox(box), children: content().map(\.element))
        element.node.layout.padding = padding
    }

    /// The container in front of `background`.
    public func background(_ background: Background) -> FlexBox {
        guard case .flexBox(var box) = element.node.content else { return self }
        box.background = background
        var copy = self
        copy.element.node.content = .flexBox(box)
        return copy
    }
}
