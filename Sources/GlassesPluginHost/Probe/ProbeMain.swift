import Foundation
import GlassesDomain

/// The whole of the program `glasses-plugin-probe`: loads one library, activates it, lists its factories, shuts it down,
/// and writes one JSON line to descriptor 3.
public enum ProbeMain {
    private static let reportDescriptor: Int32 = 3

    /// Probes the library named by the only argument; the exit status is 0 for a plugin, 1 for a refusal, 2 for a wrong use.
    public static func run(arguments: [String]) -> Int32 {
        guard arguments.count == 2 else {
            FileHandle.standardError.write(Data("usage: \(ChildProgram.probe.name) LIBRARY\n".utf8))
            return 2
        }
        // Whoever put the library there was granted nothing by that. What the kernel cannot confine is told when the plugin is used.
        _ = PluginSandbox.enter(.probing(library: arguments[1]))
        do {
            let report = try probe(arguments[1])
            write(report.line)
            return 0
        } catch {
            write(
                JSONValue.object(["code": .string(error.code), "message": .string(error.description)]).jsonText + "\n")
            return 1
        }
    }

    private static func probe(_ path: String) throws(PluginLoadError) -> ProbeReport {
        let library = try PluginLibrary.open(path)
        try library.activate(HostTable.silent)
        let factories = PluginKind.allCases.map(\.factoryId).filter { library.factory($0) != nil }
        library.shutdown()
        return ProbeReport(factories: factories)
    }

    private static func write(_ line: String) {
        var rest = Array(line.utf8)[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(reportDescriptor, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return }
            rest = rest.dropFirst(count)
        }
    }
}
