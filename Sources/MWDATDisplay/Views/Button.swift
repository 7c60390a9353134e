/// A button that the wearer can choose.
public struct Button: ViewComponent {
    /// What the button consists of.
    public var element: ViewElement

    /// A button with a label of at most 4,096 bytes of UTF-8.
    ///
    /// - Parameters:
    ///   - label: what is written on it.
    ///   - style: how much it stands out.
    ///   - iconName: a picture before the label, or none.
    ///   - onClick: runs when the wearer chooses it, on the toolkit's own queue, as long as the view is shown.
    public init(
        label: String, style: ButtonStyle = .primary, iconName: IconName? = nil,
        onClick: @escaping @Sendable () -> Void
    ) {
        element = ViewElement(.button(DisplayButton(text: label, style: style, icon: iconName)))
        element.onTap = onClick
    }

    /// The button with what it does for its view: the first one with the role `primary` gets the focus.
    public func actionRole(_ role: ActionRole) -> Button {
        guard case .button(var button) = element.node.content else { return self }
        button.role = role
        var copy = self
        copy.element.node.content = .button(button)
        return copy
    }
}

/// Buttons that belong together, in one row.
public struct ButtonGroup: ViewComponent {
    /// What the group consists of.
    public var element: ViewElement

    /// The buttons of `content`.
    public init(alignment: ButtonGroupAlignment = .start, @ButtonGroupBuilder content: () -> [Button]) {
        let group = DisplayButtonGroup(alignment: alignment, children: [])
        element = ViewElement(.buttonGroup(group), children: content().map(\.element))
    }
}
