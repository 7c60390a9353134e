import Glibc
import GlassesPluginKit

/// A C library that is loaded by name at run time and never unloaded.
///
/// See docs/decisions/speech-classic-by-dlopen.md for why nothing is linked.
struct SharedLibrary: @unchecked Sendable {
    // because the handle is only read, and dlsym may be called on any thread
    private let handle: UnsafeMutableRawPointer
    private let name: String
    private let package: String

    /// Loads `name` from `folder`, or by the system's search path when that is nil; throws `UNAVAILABLE` naming the
    /// Debian package.
    init(name: String, package: String, folder: String?) throws(PluginFailure) {
        let path = folder.map { "\($0)/\(name)" } ?? name
        // Kept loaded to the end: Flite's voices are process-wide objects inside their libraries.
        guard let handle = dlopen(path, RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE) else {
            throw .unavailable(
                "library_missing",
                "The library \(name) cannot be loaded; run Scripts/setup, or: apt-get install \(package).")
        }
        self.handle = handle
        self.name = name
        self.package = package
    }

    /// The function `symbol`, also of the libraries that this one needs; `type` has to be its C signature.
    func function<Function>(_ symbol: String, as type: Function.Type) throws(PluginFailure) -> Function {
        guard let address = dlsym(handle, symbol) else {
            throw .unavailable(
                "library_too_old",
                "The library \(name) has no function \(symbol); reinstall the package \(package).")
        }
        return unsafeBitCast(address, to: type)
    }
}
