/// A text that breaks into lines by itself.
public struct Text: ViewComponent {
    /// What the text consists of.
    public var element: ViewElement

    /// Shows `text`, at most 4,096 bytes of UTF-8.
    public init(_ text: String, style: TextStyle = .body, color: TextColor = .primary) {
        element = ViewElement(.text(DisplayText(text: text, style: style, color: color)))
    }
}
