import Foundation
import GlassesDomain
import GlassesPluginHost

/// The benchmark device in this process or in a child.
enum BenchHost {
    /// A host that has scanned, which is not what is measured.
    static func scanned(_ plugin: String, _ isolation: PluginIsolation) async -> PluginHost {
        var configuration = PluginHostConfiguration(folders: [plugin])
        configuration.isolation = isolation
        let host = PluginHost(configuration: configuration)
        _ = await host.scan()
        return host
    }

    /// A connected transport.
    static func connect(_ host: PluginHost) async -> (any GlassesTransport)? {
        guard let transport = await host.transport(id: "org.extentos.bench-device").success,
            await transport.connect(deviceId: nil).success != nil
        else { return nil }
        return transport
    }

    /// The processes whose parent is this one.
    static func children() -> [pid_t] {
        let names: [String]
        do { names = try FileManager.default.contentsOfDirectory(atPath: "/proc") } catch { return [] }
        return names.compactMap { name in pid_t(name) }.filter { parent(of: $0) == getpid() }
    }

    /// Behind the name in /proc's line come the state and the parent.
    private static func parent(of process: pid_t) -> pid_t? {
        let line: String
        do { line = try String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8) } catch { return nil }
        guard let end = line.lastIndex(of: ")") else { return nil }
        let fields = line[end...].dropFirst(2).split(separator: " ")
        return fields.count > 1 ? pid_t(fields[1]) : nil
    }
}
