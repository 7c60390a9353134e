/// A picture that the glasses know by its name.
public struct Icon: ViewComponent {
    /// What the icon consists of.
    public var element: ViewElement

    /// Shows the picture called `name`.
    public init(name: IconName, style: IconStyle = .filled) {
        element = ViewElement(.icon(DisplayIcon(name: name, style: style)))
    }
}
