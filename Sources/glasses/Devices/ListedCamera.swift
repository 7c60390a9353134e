import GlassesCore

/// A camera that the system device's plugin knows, or a node that it may not open.
struct ListedCamera: Sendable, Hashable {
    /// One format and size.
    struct Mode: Sendable, Hashable {
        /// `jpeg`, `yuyv`, `nv12` or `i420`.
        let format: String
        /// Pixels.
        let width: Int
        /// Pixels.
        let height: Int
        /// Pictures a second, the highest first.
        let frameRates: [Int]
    }

    /// What `--camera` takes.
    let name: String
    /// The model and where it is now.
    let description: String
    /// What it streams, in the driver's order; at most 48.
    let modes: [Mode]
    /// Why it cannot be used, as a sentence; nil when it can.
    let problem: String?

    /// The cameras in the details of a transport's description.
    static func list(_ details: [String: JSONValue]) -> [ListedCamera] {
        (details["cameras"]?.arrayValue ?? []).compactMap(ListedCamera.init)
    }

    private init?(_ value: JSONValue) {
        guard let name = value["name"]?.stringValue else { return nil }
        self.name = name
        let facts = [value["description"]?.stringValue, value["path"]?.stringValue].compactMap { $0 }
        description = facts.filter { !$0.isEmpty && $0 != name }.joined(separator: ", ")
        modes = (value["modes"]?.arrayValue ?? []).compactMap(Mode.init)
        problem = value["problem"]?.stringValue
    }

    /// The camera for a person: its name, and its modes by format, each size with its highest rate.
    func lines(_ console: Console) -> [String] {
        var lines = ["  " + [name, console.styled(description, .faint)].filter { !$0.isEmpty }.joined(separator: "  ")]
        if let problem { return lines + ["    " + problem] }
        var formats: [String] = []
        for mode in modes where !formats.contains(mode.format) { formats.append(mode.format) }
        for format in formats {
            let sizes = modes.filter { $0.format == format }.map { mode in
                "\(mode.width)x\(mode.height)" + (mode.frameRates.first.map { "@\($0)" } ?? "")
            }
            lines.append("    \(format): " + sizes.joined(separator: " "))
        }
        return lines
    }

    /// The camera as JSON.
    var json: JSONValue {
        [
            "name": .string(name), "description": .string(description), "modes": .array(modes.map(\.json)),
            "problem": problem.map(JSONValue.string) ?? .null,
        ]
    }
}

extension ListedCamera.Mode {
    fileprivate init?(_ value: JSONValue) {
        guard let format = value["format"]?.stringValue,
            let width = value["width"]?.intValue.flatMap({ Int(exactly: $0) }),
            let height = value["height"]?.intValue.flatMap({ Int(exactly: $0) })
        else { return nil }
        let rates = (value["frameRates"]?.arrayValue ?? []).compactMap { $0.intValue.flatMap { Int(exactly: $0) } }
        self.init(format: format, width: width, height: height, frameRates: rates)
    }

    fileprivate var json: JSONValue {
        [
            "format": .string(format), "width": .int(Int64(width)), "height": .int(Int64(height)),
            "frameRates": .array(frameRates.map { .int(Int64($0)) }),
        ]
    }
}
