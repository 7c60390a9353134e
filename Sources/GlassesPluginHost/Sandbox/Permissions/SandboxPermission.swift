/// What a plugin can be allowed beyond computing and its own files.
public enum SandboxPermission: Sendable, Hashable {
    /// Sound cards' capture devices, and the sound server.
    case microphone
    /// Sound cards' playback devices, and the sound server.
    case speaker
    /// Video devices.
    case camera
    /// Sockets of IPv4 and IPv6.
    case network
    /// Bluetooth sockets, and the local sockets that lead to the Bluetooth service.
    case bluetooth
    /// Local sockets, on which programs of the same user listen.
    case localSockets
    /// Files and folders. In a manifest nil means that the person is to choose them; a grant always has a scope.
    case files(FileScope?)

    /// The permission that `text` names, as a manifest and the command line write it: `microphone`, `speaker`, `camera`, `network`,
    /// `bluetooth`, `localSockets`, `files`, `files:read:PATH`, `files:write:PATH`.
    public init(_ text: String) throws(SandboxPermissionError) {
        switch text {
        case "microphone": self = .microphone
        case "speaker": self = .speaker
        case "camera": self = .camera
        case "network": self = .network
        case "bluetooth": self = .bluetooth
        case "localSockets": self = .localSockets
        case "files": self = .files(nil)
        default:
            guard text.hasPrefix("files:") else { throw .unknown(text) }
            self = .files(try FileScope(text.dropFirst("files:".count)))
        }
    }

    /// The permissions that are no files, in the order in which they are listed.
    public static let devices: [SandboxPermission] = [
        .microphone, .speaker, .camera, .network, .bluetooth, .localSockets,
    ]

    /// The text that ``init(_:)`` reads.
    public var text: String {
        switch self {
        case .microphone: "microphone"
        case .speaker: "speaker"
        case .camera: "camera"
        case .network: "network"
        case .bluetooth: "bluetooth"
        case .localSockets: "localSockets"
        case .files(nil): "files"
        case .files(let scope?): "files:\(scope.access.rawValue):\(scope.path)"
        }
    }

    /// Whether it can be granted as it is: files only with a path.
    public var isConcrete: Bool { self != .files(nil) }

    /// Whether somebody who has this needs no `other`: the same, or files within its scope.
    public func covers(_ other: SandboxPermission) -> Bool {
        switch (self, other) {
        case (.files(nil), .files): true
        case (.files(let scope?), .files(let wanted?)): scope.covers(wanted)
        default: self == other
        }
    }
}

/// A file, or a folder with everything below it.
public struct FileScope: Sendable, Hashable {
    /// What may be done there.
    public enum Access: String, Sendable, Hashable, CaseIterable {
        /// Open for reading, and list.
        case read
        /// Also change, make, rename and remove.
        case write
    }
    /// What may be done there.
    public var access: Access
    /// An absolute path, or one that begins with `~/` for the home folder; without `.` and `..`.
    public var path: String

    /// The scope that `text` names: `read:PATH` or `write:PATH`.
    init(_ text: Substring) throws(SandboxPermissionError) {
        let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, let access = Access(rawValue: String(parts[0])) else {
            throw .invalidFiles("files:\(text)")
        }
        try self.init(access, path: String(parts[1]))
    }

    /// A scope; throws for a path that is neither absolute nor in the home folder, or has `.` or `..` in it.
    public init(_ access: Access, path: String) throws(SandboxPermissionError) {
        self.access = access
        let components = path.split(separator: "/")
        guard path.hasPrefix("/") || path == "~" || path.hasPrefix("~/"), !path.contains("\0"),
            !components.contains("."), !components.contains("..")
        else { throw .invalidFiles("files:\(access.rawValue):\(path)") }
        self.path = (path.hasPrefix("/") ? "/" : "") + components.joined(separator: "/")
    }

    /// Whether everything in `other` lies in this scope.
    func covers(_ other: FileScope) -> Bool {
        guard access == .write || other.access == .read else { return false }
        return path == "/" ? other.path.hasPrefix("/") : other.path == path || other.path.hasPrefix(path + "/")
    }

    /// The absolute path; nil for one in the home folder when there is none.
    func absolutePath(home: String?) -> String? {
        guard path.hasPrefix("~") else { return path }
        return home.map { $0 + path.dropFirst() }
    }
}

/// Why a text is no permission.
public enum SandboxPermissionError: Error, Sendable, Hashable, CustomStringConvertible {
    /// No permission has this name.
    case unknown(String)
    /// Files without a usable path.
    case invalidFiles(String)

    /// The machine-readable code, stable between versions.
    public var code: String {
        switch self {
        case .unknown: "unknown_permission"
        case .invalidFiles: "invalid_files_permission"
        }
    }

    /// One sentence with the next step.
    public var description: String {
        switch self {
        case .unknown(let text):
            "There is no permission \"\(text)\"; known are "
                + SandboxPermission.devices.map(\.text).joined(separator: ", ")
                + ", files:read:PATH and files:write:PATH."
        case .invalidFiles(let text):
            "\"\(text)\" names no files. Write files:read:PATH or files:write:PATH, with an absolute path or one that begins "
                + "with ~/, without . and .. in it."
        }
    }
}
