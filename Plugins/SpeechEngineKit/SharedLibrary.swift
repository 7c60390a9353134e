import Glibc
package import GlassesPluginKit

/// A C library that is loaded at run time and never unloaded.
///
/// See docs/decisions/speech-classic-by-dlopen.md for why nothing is linked.
package struct SharedLibrary: @unchecked Sendable {
    // because the handle is only read, and dlsym may be called on any thread
    private let handle: UnsafeMutableRawPointer
    private let name: String
    private let remedy: String

    /// Loads `name` from `folder`, or by the system's search path when that is nil.
    ///
    /// Throws `UNAVAILABLE` with `remedy`, which says what the user runs, as in "run Scripts/setup".
    package init(name: String, folder: String?, remedy: String) throws(PluginFailure) {
        let path = folder.map { "\($0)/\(name)" } ?? name
        // Kept loaded to the end: engines keep process-wide objects inside their libraries.
        guard let handle = dlopen(path, RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE) else {
            throw .unavailable("library_missing", "The library \(name) cannot be loaded; \(remedy).")
        }
        self.handle = handle
        self.name = name
        self.remedy = remedy
    }

    /// The function `symbol`, also of the libraries that this one needs; `type` has to be its C signature. Throws `UNAVAILABLE`.
    package func function<Function>(_ symbol: String, as type: Function.Type) throws(PluginFailure) -> Function {
        guard let address = dlsym(handle, symbol) else {
            throw .unavailable("library_too_old", "The library \(name) has no function \(symbol); \(remedy).")
        }
        return unsafeBitCast(address, to: type)
    }
}
