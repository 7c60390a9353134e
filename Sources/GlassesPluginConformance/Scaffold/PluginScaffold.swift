import Foundation

/// Makes the package of a new plugin, outside this repository: the example of the language under another name, with what it needs
/// to be built.
public struct PluginScaffold: Sendable {
    /// What it is written in.
    public enum Language: String, Sendable, Hashable, CaseIterable {
        /// A SwiftPM package that depends on the runtime's checkout.
        case swift
        /// A Makefile, and the ABI's headers in the package itself.
        case c
    }

    /// What the package is called in its different places.
    public struct Names: Sendable, Hashable {
        /// Lower case with `-`, such as `my-glasses`: the folder and the end of the plugin's id.
        public let kebab: String
        /// The library and the Swift type, such as `MyGlasses`.
        public let camel: String
        /// For people, such as `My glasses`.
        public let plain: String

        /// Names from a word of letters, digits, `-` and `_` that begins with a letter; nil for any other.
        public init?(_ word: String) {
            let isAllowed = word.utf8.allSatisfy { Self.isLetter($0) || Self.isDigit($0) || $0 == 0x2D || $0 == 0x5F }
            guard isAllowed, let first = word.utf8.first, Self.isLetter(first), word.utf8.count <= Self.limit else {
                return nil
            }
            let parts = Self.parts(of: word)
            guard !parts.isEmpty else { return nil }
            kebab = parts.joined(separator: "-")
            camel = parts.map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined()
            plain = parts.joined(separator: " ").prefix(1).uppercased() + parts.joined(separator: " ").dropFirst()
        }

        /// A name has to fit into file names and identifiers.
        private static let limit = 48

        private static func isLetter(_ byte: UInt8) -> Bool {
            (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
        }
        private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }

        /// `myGlasses`, `my-glasses` and `my_glasses` all have the parts `my` and `glasses`.
        private static func parts(of word: String) -> [String] {
            var spaced = ""
            var last: Character = "-"
            for character in word {
                if character.isUppercase, last.isLowercase { spaced += "-" }
                spaced.append(character == "_" ? "-" : character)
                last = character
            }
            return spaced.split(separator: "-").map { $0.lowercased() }
        }
    }

    private let language: Language
    private let names: Names
    private let runtime: String

    /// A package of `names`; `runtime` is the absolute path of a checkout of the runtime, whose examples are the pattern.
    public init(language: Language, names: Names, runtime: String) {
        self.language = language
        self.names = names
        self.runtime = runtime
    }

    /// Makes the package in the folder `path`, which must not exist. Answers its files, relative to the folder.
    public func make(at path: String) throws(PluginScaffoldError) -> [String] {
        let files = try contents()
        guard access(path, F_OK) != 0 else { throw .exists(path: path) }
        for (name, bytes) in files {
            let target = path + "/" + name
            do {
                try FileManager.default.createDirectory(
                    atPath: (target as NSString).deletingLastPathComponent, withIntermediateDirectories: true,
                    attributes: [.posixPermissions: 0o755])
                try bytes.write(to: URL(fileURLWithPath: target), options: .atomic)
            } catch {
                throw .notWritten(path: target, reason: error.localizedDescription)
            }
        }
        return files.map(\.name)
    }

    /// The checkout that a program was built in: the folder above `folder` that has the ABI's headers; nil for none.
    public static func runtime(above folder: String?) -> String? {
        var current = folder
        while let path = current, path != "/", !path.isEmpty {
            if isRuntime(path) { return path }
            current = (path as NSString).deletingLastPathComponent
        }
        return nil
    }

    /// Whether a folder is a checkout of the runtime.
    public static func isRuntime(_ path: String) -> Bool {
        access(path + "/" + headers + "/CGlassesPlugin.h", F_OK) == 0 && access(path + "/Examples/PluginInC", F_OK) == 0
    }

    private static let headers = "Sources/CGlassesPlugin/include"

    /// The package's files in the order of their names.
    private func contents() throws(PluginScaffoldError) -> [(name: String, bytes: Data)] {
        guard Self.isRuntime(runtime) else { throw .noRuntime }
        var files: [(name: String, bytes: Data)] = []
        let example = runtime + "/Examples/" + (language == .swift ? "PluginInSwift" : "PluginInC")
        for name in try Self.files(in: example) where !Self.isProduct(name) {
            files.append((renamed(name), Data(renamed(try Self.text(example + "/" + name)).utf8)))
        }
        if language == .c {
            for name in try Self.files(in: runtime + "/" + Self.headers) where name.hasSuffix(".h") {
                files.append(("include/" + name, Data(try Self.text(runtime + "/" + Self.headers + "/" + name).utf8)))
            }
        }
        files.append((".gitignore", Data((language == .swift ? ".build/\n" : "*.so\n").utf8)))
        return files.sorted { $0.name < $1.name }
    }

    /// What building an example leaves in its folder.
    private static func isProduct(_ name: String) -> Bool {
        name.hasPrefix(".build/") || name.hasPrefix(".swiftpm/") || name.hasSuffix(".so") || name == "Package.resolved"
    }

    private func renamed(_ text: String) -> String {
        let pairs = [
            ("humming-device", names.kebab), ("HummingDevice", names.camel), ("Humming device", names.plain),
            ("path: \"../..\"", "path: \"\(runtime)\""), ("../../\(Self.headers)", "include"),
        ]
        return pairs.reduce(text) { $0.replacingOccurrences(of: $1.0, with: $1.1) }
    }

    private static func files(in folder: String) throws(PluginScaffoldError) -> [String] {
        guard let names = FileManager.default.enumerator(atPath: folder) else { throw .noRuntime }
        var files: [String] = []
        for case let name as String in names {
            if name == ".build" { names.skipDescendants() }
            var isFolder: ObjCBool = false
            if FileManager.default.fileExists(atPath: folder + "/" + name, isDirectory: &isFolder), !isFolder.boolValue
            {
                files.append(name)
            }
        }
        return files
    }

    private static func text(_ path: String) throws(PluginScaffoldError) -> String {
        do {
            return try String(contentsOfFile: path, encoding: .utf8)
        } catch {
            throw .notRead(path: path, reason: error.localizedDescription)
        }
    }
}

/// Why no package could be made.
public enum PluginScaffoldError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The folder is not a checkout of the runtime.
    case noRuntime
    /// The package's folder is there already.
    case exists(path: String)
    /// A pattern cannot be read.
    case notRead(path: String, reason: String)
    /// A file cannot be written.
    case notWritten(path: String, reason: String)

    /// The machine-readable code, stable between versions.
    public var code: String {
        switch self {
        case .noRuntime: "no_runtime"
        case .exists: "folder_exists"
        case .notRead: "not_read"
        case .notWritten: "not_written"
        }
    }

    /// One sentence with the next step.
    public var description: String {
        switch self {
        case .noRuntime: "A checkout of Extentos for Linux is needed for its headers. Name it with --runtime."
        case .exists(let path): "\(path) is there already. Choose another name or --output."
        case .notRead(let path, let reason): "\(path) cannot be read: \(reason)"
        case .notWritten(let path, let reason): "\(path) cannot be written: \(reason)"
        }
    }
}
