import MWDATImage

/// What a component consists of; opaque, and made by this module's components alone.
public struct ViewElement: Sendable {
    /// The element as it crosses the link, still without its identifier and its children.
    var node: DisplayNode
    /// The elements inside it.
    var children: [ViewElement] = []
    /// Runs when the wearer chooses it.
    var onTap: (@Sendable () -> Void)?
    /// Runs when its video cannot be played.
    var onVideoError: (@Sendable (VideoError) -> Void)?
    /// A picture that becomes the element's address when the view is sent.
    var picture: UIImage?

    init(_ content: DisplayContent, children: [ViewElement] = []) {
        node = DisplayNode(content)
        self.children = children
    }
}

/// A view that ``Display/send(_:)`` can show: a ``FlexBox`` or a ``VideoPlayer``.
public protocol DisplayableView: Sendable {
    /// What the view consists of.
    var element: ViewElement { get }
}

/// A part of a ``FlexBox``.
public protocol ViewComponent: Sendable {
    /// What the component consists of.
    var element: ViewElement { get set }
}
