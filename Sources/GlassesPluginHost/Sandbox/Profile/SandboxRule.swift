/// What a child may do at a path and below it. Nothing lets it run a program.
public struct SandboxAccess: OptionSet, Sendable, Hashable {
    /// One bit for each kind of access.
    public let rawValue: UInt8
    /// A set of accesses from their bits.
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// Open for reading, and list; what the dynamic linker does too.
    public static let read = SandboxAccess(rawValue: 1)
    /// List only.
    public static let list = SandboxAccess(rawValue: 2)
    /// Change, make, rename and remove files and folders.
    public static let write = SandboxAccess(rawValue: 4)
    /// Read, write and control a device.
    public static let device = SandboxAccess(rawValue: 8)

    private static let letters: [(SandboxAccess, Character)] = [
        (.read, "r"), (.list, "l"), (.write, "w"), (.device, "d"),
    ]

    /// One letter for each: r, l, w, d.
    var text: String { String(Self.letters.filter { contains($0.0) }.map(\.1)) }

    /// The access that ``text`` wrote; nil for other letters.
    init?(text: String) {
        self = []
        for letter in text {
            guard let access = Self.letters.first(where: { $0.1 == letter })?.0 else { return nil }
            insert(access)
        }
    }
}

/// One path that a child may use.
public struct SandboxRule: Sendable, Hashable {
    /// An absolute path; what is not there when the child is confined stays out of its reach.
    public var path: String
    /// What it may do there and below.
    public var access: SandboxAccess

    /// A rule.
    public init(_ path: String, _ access: SandboxAccess) {
        self.path = path
        self.access = access
    }
}
