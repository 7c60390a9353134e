import Foundation

/// A view as it crosses the link: what `LinkCommand.showView` carries as UTF-8 JSON. docs/dat-display-tree.md lists every member.
package struct DisplayTree: Sendable, Equatable {
    /// The version that this toolkit writes.
    package static let currentVersion = 1

    /// The tree's version; a reader refuses a higher one.
    package var version: Int
    /// A flex box, or a video alone.
    package var root: DisplayNode

    /// A tree of the current version.
    package init(root: DisplayNode) {
        version = Self.currentVersion
        self.root = root
    }

    /// Reads a tree that crossed the link; throws what is wrong with it.
    package init(json: Data) throws {
        self = try JSONDecoder().decode(DisplayTree.self, from: json)
    }

    /// The tree as UTF-8 JSON with sorted keys, so that equal views have equal bytes.
    package func json() throws -> Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return try encoder.encode(self)
    }
}

/// The version stands among the root's members.
extension DisplayTree: Codable {
    private enum Key: String, CodingKey { case version }

    package init(from decoder: any Decoder) throws {
        version = try decoder.container(keyedBy: Key.self).decode(Int.self, forKey: .version)
        guard version <= Self.currentVersion else {
            throw DecodingError.dataCorrupted(
                .init(
                    codingPath: decoder.codingPath,
                    debugDescription: "a display tree of version \(version) is not known here"))
        }
        root = try DisplayNode(from: decoder)
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(version, forKey: .version)
        try root.encode(to: encoder)
    }
}

/// One element of a ``DisplayTree``: what it is, and how it stands in its container.
package struct DisplayNode: Sendable, Equatable {
    /// What a tap on the element is reported by; nil when nothing happens there.
    package var id: String?
    /// What it is.
    package var content: DisplayContent
    /// How it stands in its container.
    package var layout: DisplayLayout

    /// An element that nobody can tap, unless it gets an `id`.
    package init(_ content: DisplayContent, layout: DisplayLayout = DisplayLayout(), id: String? = nil) {
        self.id = id
        self.content = content
        self.layout = layout
    }

    /// The elements inside this one, in their order.
    package var children: [DisplayNode] {
        switch content {
        case .flexBox(let box): box.children
        case .buttonGroup(let group): group.children
        case .text, .button, .image, .icon, .video: []
        }
    }
}

/// What a ``DisplayNode`` is.
package enum DisplayContent: Sendable, Equatable {
    case flexBox(DisplayFlexBox)
    case text(DisplayText)
    case button(DisplayButton)
    case buttonGroup(DisplayButtonGroup)
    case image(DisplayImage)
    case icon(DisplayIcon)
    case video(DisplayVideo)
}

/// How an element stands in its container; members that are nil take no part.
package struct DisplayLayout: Codable, Sendable, Equatable {
    /// Pixels inside the element's edges.
    package var padding: EdgeInsets?
    /// Its share of the room that is left over along the container's direction.
    package var flexGrow: Double?
    /// Its share of the room that is missing along the container's direction.
    package var flexShrink: Double?
    /// Where it stands across the container's direction, against the container's own choice.
    package var alignSelf: Alignment?

    /// A layout without any wish.
    package init() {}
}
