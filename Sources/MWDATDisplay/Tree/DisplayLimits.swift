/// What one view may hold. The panel is small and the link slow: whoever needs more pages through it.
package enum DisplayLimits {
    /// Pixels of the panel across and down.
    package static let panelSide = 600
    /// Elements of a view, its root included; far more than a panel shows without scrolling for a long time.
    package static let elements = 256
    /// Containers inside one another, so that no reader needs a deep stack.
    package static let depth = 16
    /// Bytes of one text or label.
    package static let textBytes = 4096
    /// Bytes of one address.
    package static let addressBytes = 2048
    /// Pixels of any distance: more than sixteen panels.
    package static let distance = 10_000.0
    /// Bytes of a whole tree as JSON; what a plugin's display takes, too.
    package static let treeBytes = 1 << 20
    /// Pixels of a video's longer side.
    package static let videoSide = 400
    /// Pixels of a video's picture.
    package static let videoPixels = 70_000
    /// Views that wait for the display's answer at one time.
    package static let viewsInFlight = 4
}
