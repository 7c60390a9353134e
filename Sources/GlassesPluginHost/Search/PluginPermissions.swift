import Glibc

/// Why a plugin's files are not safe to load.
public struct PluginPermissionError: Error, Sendable, Hashable, CustomStringConvertible {
    /// What is wrong with the file or folder.
    public enum Problem: Sendable, Hashable {
        /// It belongs to somebody who is neither root nor the current user.
        case foreignOwner
        /// Another user may write it.
        case writableByOthers
        /// It is not there, or cannot be looked at.
        case unreachable
    }
    /// The file or folder.
    public var path: String
    /// What is wrong with it.
    public var problem: Problem

    /// The machine-readable code, stable between versions.
    public var code: String {
        switch problem {
        case .foreignOwner: "foreign_owner"
        case .writableByOthers: "writable_by_others"
        case .unreachable: "unreachable"
        }
    }

    /// One sentence with the command that mends it.
    public var description: String {
        switch problem {
        case .foreignOwner:
            "\(path) belongs to another user, who could put code into this app. Own it: chown -R $(id -u) \(path)"
        case .writableByOthers:
            "\(path) may be written by other users, who could put code into this app. Run: chmod go-w \(path)"
        case .unreachable: "\(path) cannot be looked at. Check that it exists and that you may read it."
        }
    }
}

/// Decides whether code may be loaded from a file: nobody but root and the current user may be able to change it.
struct PluginPermissions: Sendable {
    /// The user that loads.
    var user: UInt32
    /// The group that nobody but that user is in; nil when there is none. Distributions with such groups make every
    /// file writable for them, which lets nobody else in.
    var privateGroup: UInt32?
    /// Looks at a file; replaced in tests.
    var look: @Sendable (String) -> PluginFile?

    /// The rules for the current user and the real file system.
    static func current() -> PluginPermissions {
        let user = geteuid()
        return PluginPermissions(user: user, privateGroup: privateGroup(of: user), look: { PluginFile(path: $0) })
    }

    /// Checks the file at an absolute path and every folder above it; then the same where links really lead.
    func check(_ path: String) throws(PluginPermissionError) {
        try checkChain(path)
        guard let resolved = realpath(path, nil) else {
            throw PluginPermissionError(path: path, problem: .unreachable)
        }
        defer { free(resolved) }
        let real = String(cString: resolved)
        if real != path { try checkChain(real) }
    }

    /// Checks one spelling of a path, from the file up to the root.
    func checkChain(_ path: String) throws(PluginPermissionError) {
        try check(path, isDistantAncestor: false)
        var folder = Self.parent(of: path)
        try check(folder, isDistantAncestor: false)
        while folder != "/" {
            folder = Self.parent(of: folder)
            try check(folder, isDistantAncestor: true)
        }
    }

    private func check(_ path: String, isDistantAncestor: Bool) throws(PluginPermissionError) {
        guard let file = look(path) else { throw PluginPermissionError(path: path, problem: .unreachable) }
        guard file.owner == 0 || file.owner == user else {
            throw PluginPermissionError(path: path, problem: .foreignOwner)
        }
        let isGroupOpen = file.isGroupWritable && file.group != privateGroup
        guard file.isOtherWritable || isGroupOpen else { return }
        // In a sticky folder of root, such as /tmp, nobody can rename or replace what belongs to us.
        if isDistantAncestor, file.isFolder, file.isSticky, file.owner == 0 { return }
        throw PluginPermissionError(path: path, problem: .writableByOthers)
    }

    static func parent(of path: String) -> String {
        guard let slash = path.lastIndex(of: "/"), slash != path.startIndex else { return "/" }
        return String(path[..<slash])
    }

    /// The user's own group, if it has the user's name and no other member.
    private static func privateGroup(of user: UInt32) -> UInt32? {
        guard let account = getpwuid(user) else { return nil }
        let name = String(cString: account.pointee.pw_name)
        let number = account.pointee.pw_gid
        guard let group = getgrgid(number), String(cString: group.pointee.gr_name) == name else { return nil }
        var member = group.pointee.gr_mem
        while let entry = member?.pointee {
            guard String(cString: entry) == name else { return nil }
            member = member?.advanced(by: 1)
        }
        return number
    }
}
