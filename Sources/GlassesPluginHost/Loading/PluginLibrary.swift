import CGlassesPlugin
import Glibc

/// A plugin's library in this process. It is never unloaded: threads, thread-local state and Swift types of a plugin
/// outlive every attempt to do so.
struct PluginLibrary: @unchecked Sendable {
    // because the entry is owned by the library, immutable, and valid until the process ends
    private let entry: UnsafePointer<glasses_entry>

    /// Loads the library at an absolute path and checks its entry; runs the library's constructors.
    static func open(_ path: String) throws(PluginLoadError) -> PluginLibrary {
        guard let handle = dlopen(path, RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE) else {
            throw .notLoadable(reason: lastLinkerError(without: path))
        }
        guard let symbol = dlsym(handle, GLASSES_ENTRY_SYMBOL) else { throw .entryMissing }
        typealias EntryFunction = @convention(c) () -> UnsafePointer<glasses_entry>?
        guard let entry = unsafeBitCast(symbol, to: EntryFunction.self)() else { throw .entryInvalid }
        try check(entry)
        return PluginLibrary(entry: entry)
    }

    /// Size, magic and version come before everything else in the struct, so they can be read whatever the rest is.
    private static func check(_ entry: UnsafePointer<glasses_entry>) throws(PluginLoadError) {
        let head = UnsafeRawPointer(entry)
        let magic = head.load(fromByteOffset: 4, as: UInt32.self)
        guard magic == UInt32(GLASSES_ENTRY_MAGIC) else { throw .entryInvalid }
        let version = PluginABIVersion(
            major: Int(head.load(fromByteOffset: 8, as: UInt32.self)),
            minor: Int(head.load(fromByteOffset: 12, as: UInt32.self)))
        guard version.isSupported else { throw .unsupportedABI(version) }
        let size = head.load(as: UInt32.self)
        guard size >= UInt32(MemoryLayout<glasses_entry>.size) else { throw .entryInvalid }
        // The compiler holds the functions to be non-null; a plugin in C may leave them out all the same.
        for offset in [16, 24, 32] {
            guard head.load(fromByteOffset: offset, as: UInt.self) != 0 else { throw .entryInvalid }
        }
    }

    /// Activates the plugin. [host]
    func activate(_ host: HostTable) throws(PluginLoadError) {
        let result = entry.pointee.activate(host.pointer)
        guard result == GLASSES_OK else { throw .activationRefused(result: result) }
    }

    /// The factory named `id`. [host]
    func factory(_ id: String) -> UnsafeRawPointer? { entry.pointee.get_factory(id) }

    /// Ends the plugin; it cannot be activated again. [host]
    func shutdown() { entry.pointee.shutdown() }

    private static func lastLinkerError(without path: String) -> String {
        guard let words = dlerror() else { return "unknown reason" }
        let text = String(cString: words)
        return text.hasPrefix(path + ": ") ? String(text.dropFirst(path.count + 2)) : text
    }
}
