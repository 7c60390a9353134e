/// What one view may hold. The panel is small and the link slow: whoever needs more pages through it.
enum DisplayLimits {
    /// Pixels of the panel across and down.
    static let panelSide = 600
    /// Elements of a view, its root included; far more than a panel shows without scrolling for a long time.
    static let elements = 256
    /// Containers inside one another, so that no reader needs a deep stack.
    static let depth = 16
    /// Bytes of one text or label.
    static let textBytes = 4096
    /// Bytes of one address.
    static let addressBytes = 2048
    /// Pixels of any distance: more than sixteen panels.
    static let distance = 10_000.0
    /// Bytes of a whole tree as JSON; what a plugin's display takes, too.
    static let treeBytes = 1 << 20
    /// Pixels of a video's longer side.
    static let videoSide = 400
    /// Pixels of a video's picture.
    static let videoPixels = 70_000
    /// Views that wait for the display's answer at one time.
    static let viewsInFlight = 4
}
