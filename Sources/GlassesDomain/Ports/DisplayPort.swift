/// What the wearer did with what a display shows.
public enum DisplayEvent: Sendable, Hashable {
    /// The node of that id was selected.
    case selected(node: String)
    /// The wearer asked to go back.
    case back
}

/// A device's display.
public protocol DisplayPort: AnyObject, Sendable {
    /// The panel.
    var panel: PanelGeometry { get }
    /// What the wearer does, on a thread of the host; nil stops it. The latest sink counts.
    func onEvent(_ sink: (@Sendable (DisplayEvent) -> Void)?)
    /// Replaces what is shown by a tree, at most 1 MiB as JSON; ends within 3 s.
    func show(_ tree: JSONValue) async -> ExtentosResult<Void, TransportError>
    /// Blanks the panel within 3 s.
    func clear() async -> ExtentosResult<Void, TransportError>
}
