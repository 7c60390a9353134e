import CShims
import Foundation

/// The whole of the program `glasses-plugin-host`: carries one instance of one plugin for the process that started it.
///
/// It speaks through descriptor 3 and ends with its host, whatever the host died of.
public enum PluginHostMain {
    /// Carries the plugin that the host names; the only argument is the host's process id. Returns only for a wrong use.
    ///
    /// Debug builds also take `--preload LIBRARY` before it, with a library that stands in for devices.
    public static func run(arguments: [String]) -> Int32 {
        #if DEBUG
            if arguments.count == 4, arguments[1] == Preload.option {
                return Preload.restart(arguments[0], library: arguments[2], host: arguments[3]).rawValue
            }
        #endif
        guard arguments.count == 2, let host = pid_t(arguments[1]) else {
            FileHandle.standardError.write(
                Data("usage: \(ChildProgram.host.name) HOST-PROCESS (started by the runtime, not by hand)\n".utf8))
            return ChildExit.wrongUse.rawValue
        }
        ChildCore.forbid()
        cshims_forbid_dumps()
        // A host that died before this line sends no signal, but is no longer the parent.
        _ = cshims_die_with_parent()
        guard getppid() == host else { ChildExit.leaveOrphaned() }
        signal(SIGPIPE, SIG_IGN)
        guard let socket = MessageSocket(ChildSpawner.descriptorInChild) else { ChildExit.outOfResources.leave() }
        carry(socket)
    }

    private static func carry(_ socket: MessageSocket) -> Never {
        let opening = ChildCarrier.receiveOpening(socket)
        // While this is the only thread, and before anything of the plugin runs.
        let report = confine(opening.profile)
        let carrier = ChildCarrier(socket)
        carrier.open(opening, report)
        carrier.run()
    }

    /// A child whose profile cannot be read carries nothing.
    private static func confine(_ profile: String) -> SandboxReport {
        do { return PluginSandbox.enter(try SandboxProfile(text: profile)) } catch {
            ChildExit.hostMisunderstood.leave()
        }
    }
}
