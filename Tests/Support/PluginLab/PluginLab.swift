import Foundation
import GlassesDomain
import GlassesPluginHost

/// A host process that tests can kill and count, which their own process is not.
enum PluginLab {
    /// `hold PLUGIN`: carries one instance until it is killed. `cycle PLUGIN N`: opens, kills and ends N children, and prints what
    /// this process has before and after. `scan FOLDER CACHE`: prints the ids that are found, and why that is not remembered.
    static func run(_ arguments: [String]) async -> Int32 {
        switch arguments.first {
        case "hold" where arguments.count == 2: await hold(arguments[1])
        case "cycle" where arguments.count == 3: await cycle(arguments[1], Int(arguments[2]) ?? 0)
        case "scan" where arguments.count == 3: await scan(arguments[1], cache: arguments[2])
        default: 2
        }
    }

    private static func scan(_ folder: String, cache: String) async -> Int32 {
        var configuration = PluginHostConfiguration(folders: [folder], environment: [:])
        configuration.cacheFolder = cache
        configuration.probeLimit = .seconds(20)
        let scan = await PluginHost(configuration: configuration).scan()
        print("found \(scan.found.map(\.manifest.id).joined(separator: " "))")
        print("problem \(scan.memoryProblem ?? "none")")
        fflush(nil)
        return 0
    }

    private static func open(_ plugin: String) async -> (any GlassesTransport)? {
        var configuration = PluginHostConfiguration(folders: [plugin], environment: [:])
        configuration.isolation = .process
        configuration.probeLimit = .seconds(20)
        let host = PluginHost(configuration: configuration)
        let transport = await host.transport(id: "org.extentos.loopback").success
        guard await transport?.connect(deviceId: nil).success != nil else { return nil }
        return transport
    }

    private static func hold(_ plugin: String) async -> Int32 {
        guard let transport = await open(plugin) else { return 1 }
        _ = await transport.microphone?.open { _ in }
        print("children \(children().map(String.init).joined(separator: " "))")
        print("ready")
        fflush(nil)
        while true { try? await Task.sleep(for: .seconds(60)) }
    }

    private static func cycle(_ plugin: String, _ count: Int) async -> Int32 {
        // The first one brings what stays: the clock's queue, and the standard library's own.
        guard await once(plugin, kills: true) else { return 1 }
        await settle()
        let before = descriptors()
        print("before \(before) \(children().count)")
        for round in 0..<count {
            guard await once(plugin, kills: !round.isMultiple(of: 3)) else { return 1 }
        }
        await settle()
        // A thread that has reaped its child closes its descriptors a moment later.
        let deadline = ContinuousClock.now + .seconds(20)
        while descriptors() > before, ContinuousClock.now < deadline { try? await Task.sleep(for: .milliseconds(10)) }
        print("after \(descriptors()) \(children().count)")
        return 0
    }

    /// One life of an instance, with a death in the middle of its streams if `kills`.
    private static func once(_ plugin: String, kills: Bool) async -> Bool {
        guard let transport = await open(plugin), await transport.microphone?.open({ _ in }).failure == nil,
            await transport.speaker?.open({ _ in }).failure == nil
        else { return false }
        if kills, let child = children().first {
            kill(child, SIGKILL)
            let deadline = ContinuousClock.now + .seconds(20)
            while children().first == child || children().isEmpty, ContinuousClock.now < deadline {
                try? await Task.sleep(for: .milliseconds(2))
            }
        }
        await transport.shutdown()
        return true
    }

    private static func settle() async {
        let deadline = ContinuousClock.now + .seconds(20)
        while !children().isEmpty, ContinuousClock.now < deadline { try? await Task.sleep(for: .milliseconds(10)) }
    }

    private static func descriptors() -> Int {
        ((try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")) ?? []).count
    }

    /// The processes whose parent is this one, zombies too.
    private static func children() -> [pid_t] {
        let mine = getpid()
        return ((try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []).compactMap { name in
            guard let process = pid_t(name),
                let status = try? String(contentsOfFile: "/proc/\(name)/stat", encoding: .utf8),
                let rest = status.lastIndex(of: ")").map({ status[$0...].dropFirst(2).split(separator: " ") }),
                rest.count > 1, pid_t(rest[1]) == mine
            else { return nil }
            return process
        }
    }
}
