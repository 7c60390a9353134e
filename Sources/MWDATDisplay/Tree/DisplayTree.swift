import Foundation

/// A view as it crosses the link: what `LinkCommand.showView` carries as UTF-8 JSON. docs/dat-display-tree.md lists every member.
struct DisplayTree: Sendable, Equatable {
    /// The version that this toolkit writes; a reader refuses a higher one.
    static let version = 1

    /// A flex box, or a video alone.
    var root: DisplayNode

    /// The tree as UTF-8 JSON with sorted keys, so that equal views have equal bytes.
    func json() throws -> Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return try encoder.encode(self)
    }
}

/// The version stands among the root's members.
extension DisplayTree: Encodable {
    private enum Key: String, CodingKey { case version }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(Self.version, forKey: .version)
        try root.encode(to: encoder)
    }
}

/// One element of a ``DisplayTree``: what it is, and how it stands in its container.
struct DisplayNode: Sendable, Equatable {
    /// What a tap on the element is reported by; nil when nothing happens there.
    var id: String?
    /// What it is.
    var content: DisplayContent
    /// How it stands in its container.
    var layout = DisplayLayout()

    /// An element that nobody can tap, unless it gets an `id`.
    init(_ content: DisplayContent) {
        self.content = content
    }
}

/// What a ``DisplayNode`` is.
enum DisplayContent: Sendable, Equatable {
    case flexBox(DisplayFlexBox)
    case text(DisplayText)
    case button(DisplayButton)
    case buttonGroup(DisplayButtonGroup)
    case image(DisplayImage)
    case icon(DisplayIcon)
    case video(DisplayVideo)
}

/// How an element stands in its container; members that are nil take no part.
struct DisplayLayout: Encodable, Sendable, Equatable {
    /// Pixels inside the element's edges.
    var padding: EdgeInsets?
    /// Its share of the room that is left over along the container's direction.
    var flexGrow: Double?
    /// Its share of the room that is missing along the container's direction.
    var flexShrink: Double?
    /// Where it stands across the container's direction, against the container's own choice.
    var alignSelf: Alignment?
}
