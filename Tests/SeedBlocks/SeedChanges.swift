/// The changes that a block may need, and how often each was made.
struct SeedChanges: Decodable, Sendable, Equatable, CustomStringConvertible {
    /// Imports of SwiftUI, UIKit and Combine that became imports of the shims.
    var imports = 0
    /// Cases that hold only a comment, which got a `break`: without it they are not valid Swift.
    var emptyCases = 0
    /// Lines `...` that were dropped.
    var ellipses = 0
    /// Modifiers without a view that were attached to one.
    var looseModifiers = 0

    init() {}

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Key.self)
        imports = try container.decodeIfPresent(Int.self, forKey: .imports) ?? 0
        emptyCases = try container.decodeIfPresent(Int.self, forKey: .emptyCases) ?? 0
        ellipses = try container.decodeIfPresent(Int.self, forKey: .ellipses) ?? 0
        looseModifiers = try container.decodeIfPresent(Int.self, forKey: .looseModifiers) ?? 0
    }

    private enum Key: String, CodingKey { case imports, emptyCases, ellipses, looseModifiers }

    var count: Int { imports + emptyCases + ellipses + looseModifiers }

    var description: String {
        let parts = [
            (imports, "imports of the shims"), (emptyCases, "breaks in empty cases"), (ellipses, "lines `...` dropped"),
            (looseModifiers, "modifiers attached to a view"),
        ]
        let made = parts.filter { $0.0 > 0 }.map { "\($0.0) × \($0.1)" }
        return made.isEmpty ? "no change" : made.joined(separator: ", ")
    }

    static func + (lhs: SeedChanges, rhs: SeedChanges) -> SeedChanges {
        var sum = lhs
        sum.imports += rhs.imports
        sum.emptyCases += rhs.emptyCases
        sum.ellipses += rhs.ellipses
        sum.looseModifiers += rhs.looseModifiers
        return sum
    }

    /// `text` with the changes that it needs, and how many they were.
    static func apply(to text: String) -> (text: String, changes: SeedChanges) {
        var changes = SeedChanges()
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        var out: [String] = []
        for (index, line) in lines.enumerated() {
            let bare = line.trimmed
            if bare == "..." {
                changes.ellipses += 1
            } else if ["import SwiftUI", "import UIKit", "import Combine"].contains(bare) {
                changes.imports += 1
                out.append("import AppleShims")
            } else if line.hasPrefix(".onOpenURL") {
                changes.looseModifiers += 1
                out.append("EmptyView()" + line)
            } else {
                out.append(line)
                guard bare.hasPrefix("case "), bare.hasSuffix(":"), holdsNothing(lines[(index + 1)...]) else {
                    continue
                }
                changes.emptyCases += 1
                out.append(line.prefix { $0 == " " } + "    break")
            }
        }
        return (out.joined(separator: "\n"), changes)
    }

    /// Whether the first line that is more than a comment ends the case.
    private static func holdsNothing(_ lines: ArraySlice<String>) -> Bool {
        let next = lines.lazy.map(\.trimmed).first { !$0.isEmpty && !$0.hasPrefix("//") } ?? "}"
        return next.hasPrefix("case ") || next.hasPrefix("default:") || next.hasPrefix("}")
    }
}

extension String {
    /// Without the white space at both ends.
    fileprivate var trimmed: String {
        let rest = drop(while: \.isWhitespace)
        guard let last = rest.lastIndex(where: { !$0.isWhitespace }) else { return "" }
        return String(rest[...last])
    }
}
