import Foundation
import GlassesDomain

/// What the simulated display knows of a view: a tree of objects with a `kind`, and an `id` on those that can be chosen.
struct ShownView {
    private let root: JSONValue?

    init(_ tree: Data) {
        do { root = try JSONValue(jsonText: String(decoding: tree, as: UTF8.self)) } catch { root = nil }
    }

    /// The version of trees that is understood.
    static let version: Int64 = 1

    /// Whether it is a tree that this display understands.
    var isReadable: Bool {
        guard let kind = root?["kind"]?.stringValue, kind == "flexBox" || kind == "video" else { return false }
        return (root?["version"]?.intValue ?? Self.version) <= Self.version
    }
    /// Whether it is a video, which stands alone.
    var isVideo: Bool { root?["kind"]?.stringValue == "video" }

    /// Whether an element has this identifier.
    func holds(_ identifier: String) -> Bool { root.map { Self.find(identifier, in: $0) } ?? false }

    /// The texts that it shows, in their order.
    var texts: [String] { root.map(Self.texts) ?? [] }

    /// What can be chosen, in its order.
    var identifiers: [String] { root.map(Self.identifiers) ?? [] }

    private static func find(_ identifier: String, in node: JSONValue) -> Bool {
        node["id"]?.stringValue == identifier || children(of: node).contains { find(identifier, in: $0) }
    }

    private static func texts(of node: JSONValue) -> [String] {
        (node["text"]?.stringValue.map { [$0] } ?? []) + children(of: node).flatMap(texts)
    }

    private static func identifiers(of node: JSONValue) -> [String] {
        (node["id"]?.stringValue.map { [$0] } ?? []) + children(of: node).flatMap(identifiers)
    }

    private static func children(of node: JSONValue) -> [JSONValue] { node["children"]?.arrayValue ?? [] }
}
