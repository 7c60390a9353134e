import Foundation

/// A view that is ready for the link.
struct EncodedView: Sendable {
    /// A ``DisplayTree`` as JSON.
    let tree: Data
    /// Whether it is a video alone.
    let isVideo: Bool
    /// What stays here.
    let handlers: ViewHandlers
}

/// The app's code that belongs to one view.
struct ViewHandlers: Sendable {
    /// By the identifiers of the view's elements.
    var taps: [String: @Sendable () -> Void] = [:]
    /// For the view's video.
    var videoError: (@Sendable (VideoError) -> Void)?
}

/// Turns a view into the tree that crosses the link and the handlers that stay here, and holds it against the limits.
struct ViewEncoder {
    private var handlers = ViewHandlers()
    private var count = 0

    /// The view with `root`, or what it breaks.
    static func encode(_ root: ViewElement) throws(DisplayError) -> EncodedView {
        var encoder = ViewEncoder()
        let tree = try encoder.tree(of: root)
        let json: Data
        do {
            json = try tree.json()
        } catch {
            throw .displayError("The view could not be written for the glasses: \(error)")
        }
        guard json.count <= DisplayLimits.treeBytes else {
            throw .displayError(
                "The view takes \(json.count) bytes, and the display at most \(DisplayLimits.treeBytes). Show smaller pictures."
            )
        }
        guard case .video = root.node.content else {
            return EncodedView(tree: json, isVideo: false, handlers: encoder.handlers)
        }
        return EncodedView(tree: json, isVideo: true, handlers: encoder.handlers)
    }

    /// The tree alone.
    mutating func tree(of root: ViewElement) throws(DisplayError) -> DisplayTree {
        DisplayTree(root: try node(of: root, depth: 1))
    }

    /// Elements that can be chosen are numbered in reading order: `e1`, `e2` and so on.
    private mutating func node(of element: ViewElement, depth: Int) throws(DisplayError) -> DisplayNode {
        count += 1
        guard count <= DisplayLimits.elements else {
            throw .displayError(
                "A view may hold \(DisplayLimits.elements) elements. Show less at once, or page through it.")
        }
        guard depth <= DisplayLimits.depth else {
            throw .displayError("A view may hold containers \(DisplayLimits.depth) deep. Flatten it.")
        }
        var node = element.node
        if let picture = element.picture, case .image(var image) = node.content {
            image.uri = try PanelPicture.address(of: picture)
            node.content = .image(image)
        }
        try node.check()
        if let onTap = element.onTap {
            let id = "e\(handlers.taps.count + 1)"
            handlers.taps[id] = onTap
            node.id = id
        }
        if let onVideoError = element.onVideoError { handlers.videoError = onVideoError }
        var children: [DisplayNode] = []
        for child in element.children { children.append(try self.node(of: child, depth: depth + 1)) }
        node.setChildren(children)
        return node
    }
}

extension DisplayNode {
    fileprivate mutating func setChildren(_ children: [DisplayNode]) {
        switch content {
        case .flexBox(var box):
            box.children = children
            content = .flexBox(box)
        case .buttonGroup(var group):
            group.children = children
            content = .buttonGroup(group)
        case .text, .button, .image, .icon, .video: break
        }
    }
}
