#if DEBUG
    import Glibc

    /// Starts the program anew with a library before all others, which stands in for devices that a test machine has not.
    ///
    /// In debug builds only: such a library can do whatever it likes before the child is confined.
    enum Preload {
        static let option = "--preload"

        /// Replaces this process, which keeps its number and its descriptors; returns only when that failed.
        static func restart(_ program: String, library: String, host: String) -> ChildExit {
            guard library.hasPrefix("/"), access(library, R_OK) == 0, setenv("LD_PRELOAD", library, 1) == 0 else {
                return .wrongUse
            }
            let arguments: [UnsafeMutablePointer<CChar>?] = [strdup(program), strdup(host), nil]
            defer { for argument in arguments { free(argument) } }
            execv("/proc/self/exe", arguments)
            return .outOfResources
        }
    }
#endif
