import Foundation

extension ViewComponent {
    /// The component with the same empty room inside every edge; `length` in pixels, 0 to 10,000.
    public func padding(_ length: CGFloat) -> Self {
        padding(EdgeInsets(all: length))
    }

    /// The component with empty room inside its edges.
    public func padding(_ insets: EdgeInsets) -> Self {
        changed { $0.node.layout.padding = insets }
    }

    /// The component with `action` for the wearer's choice of it, instead of any earlier one. It runs on the toolkit's own queue,
    /// as long as the view is shown, and should return soon.
    public func onTap(_ action: @escaping @Sendable () -> Void) -> Self {
        changed { $0.onTap = action }
    }

    /// The component with its share of the room that is left over along its container's direction; `share` 0 to 10,000, by default 0.
    public func flexGrow(_ share: CGFloat) -> Self {
        changed { $0.node.layout.flexGrow = share }
    }

    /// The component with its share of the room that is missing along its container's direction; `share` 0 to 10,000, by default 1.
    public func flexShrink(_ share: CGFloat) -> Self {
        changed { $0.node.layout.flexShrink = share }
    }

    /// The component with a place across its container's direction, against the container's own choice.
    public func alignSelf(_ alignment: Alignment) -> Self {
        changed { $0.node.layout.alignSelf = alignment }
    }

    private func changed(_ change: (inout ViewElement) -> Void) -> Self {
        var copy = self
        change(&copy.element)
        return copy
    }
}
