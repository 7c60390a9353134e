import Foundation

/// Empty room inside a component's edges, in pixels of the panel, each 0 to 10,000.
public struct EdgeInsets: Encodable, Hashable, Sendable {
    /// Above the content.
    public var top: CGFloat
    /// Below the content.
    public var bottom: CGFloat
    /// On the side where reading begins.
    public var leading: CGFloat
    /// On the side where reading ends.
    public var trailing: CGFloat

    /// The same room inside every edge; `all` in pixels.
    public init(all: CGFloat) {
        self.init(top: all, bottom: all, leading: all, trailing: all)
    }

    /// Room of its own inside each edge, in pixels; 0 where none is given.
    public init(top: CGFloat = 0, bottom: CGFloat = 0, leading: CGFloat = 0, trailing: CGFloat = 0) {
        self.top = top
        self.bottom = bottom
        self.leading = leading
        self.trailing = trailing
    }
}
