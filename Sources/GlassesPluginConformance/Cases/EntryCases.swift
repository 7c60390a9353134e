import CGlassesPlugin
import Foundation
import GlassesPluginHost

/// The exported entry and the factories.
enum EntryCases {
    static let all = handshake + hosts + factories

    private static let structSize = MemoryLayout<glasses_entry>.size

    private static let handshake = [
        ConformanceCase(
            "entry.present", .entry, "the library loads, and glasses_plugin_entry answers an entry",
            needs: ["manifest.readable"]
        ) { run throws(CaseEnd) in _ = try EntryUnderTest.load(run) },
        ConformanceCase(
            "entry.struct", .entry, "the entry has its size, its magic and every function", needs: ["entry.present"]
        ) { run throws(CaseEnd) in
            let raw = StructUnderTest(
                pointer: UnsafeRawPointer(try EntryUnderTest.load(run).pointer), name: "glasses_entry")
            let magic = raw.pointer.load(fromByteOffset: 4, as: UInt32.self)
            try expect(
                magic == UInt32(GLASSES_ENTRY_MAGIC), "glasses_entry.magic is \(magic), not GLASSES_ENTRY_MAGIC.")
            try raw.check(size: structSize, firstFunction: 16)
        },
        ConformanceCase(
            "entry.version", .entry, "the entry's ABI is the manifest's, and this host speaks it",
            needs: ["entry.struct"]
        ) { run throws(CaseEnd) in
            let entry = try EntryUnderTest.load(run).pointer.pointee
            let version = PluginABIVersion(major: Int(entry.abi_major), minor: Int(entry.abi_minor))
            try expect(version.isSupported, "The entry says ABI \(version); this host speaks \(PluginABIVersion.host).")
            let promised = run.package.check.manifest?.abi ?? .host
            try expect(version == promised, "The entry says ABI \(version), plugin.json says \(promised).")
        },
        ConformanceCase(
            "entry.constant", .entry, "the entry is the same each time, on any thread, and asking does nothing else",
            needs: ["entry.struct"]
        ) { run throws(CaseEnd) in
            let entry = try EntryUnderTest.load(run)
            let before = ProcessUsage.now()
            let again = run.call(GLASSES_ENTRY_SYMBOL) { entry.function() }
            let after = ProcessUsage.now()
            try expect(again == entry.pointer, "glasses_plugin_entry answered another entry the second time.")
            try expect(
                after.threads <= before.threads && after.descriptors <= before.descriptors,
                "glasses_plugin_entry started a thread or opened a descriptor.")
            nonisolated(unsafe) var elsewhere: UnsafePointer<glasses_entry>?
            // because the thread is over before it is read
            nonisolated(unsafe) let function = entry.function
            // because the ABI lets it be called on any thread
            AnotherThread.run { elsewhere = function() }
            try expect(elsewhere == entry.pointer, "glasses_plugin_entry answered another entry on another thread.")
        },
        ConformanceCase(
            "entry.activate", .entry, "activate accepts a host of its own version", needs: ["entry.version"],
            limit: .seconds(15)
        ) { run throws(CaseEnd) in _ = try EntryUnderTest.activated(run) },
        ConformanceCase(
            "entry.no-device", .entry, "activate opens no device", needs: ["entry.activate"]
        ) { run throws(CaseEnd) in
            let before = ProcessUsage.openDevices()
            _ = try EntryUnderTest.activated(run)
            let opened = ProcessUsage.openDevices().subtracting(before)
            try expect(opened.isEmpty, "activate opened \(opened.sorted().joined(separator: ", ")).")
        },
    ]

    private static let hosts = [
        ConformanceCase(
            "entry.newer-host", .entry, "a host with a newer minor version and a larger struct is accepted",
            needs: ["entry.activate"]
        ) { run throws(CaseEnd) in
            let size = MemoryLayout<glasses_host>.size + 64
            let host = HostDouble(
                report: run.report, version: .init(minor: UInt32(GLASSES_ABI_MINOR) + 7, size: size))
            let result = try EntryUnderTest.load(run).activate(host)
            try expect(result == GLASSES_OK, "activate answered \(KnownResults.name(result)) to a newer host.")
        },
        ConformanceCase(
            "entry.other-major", .entry, "a host with another major version is refused with VERSION",
            needs: ["entry.activate"]
        ) { run throws(CaseEnd) in
            let host = HostDouble(report: run.report, version: .init(major: UInt32(GLASSES_ABI_MAJOR) + 1))
            let result = try EntryUnderTest.load(run).activate(host)
            try expect(result == GLASSES_ERROR_VERSION, "activate answered \(KnownResults.name(result)).")
        },
        ConformanceCase(
            "entry.smaller-host", .entry, "a host struct that is too small is refused, and not read past its end",
            needs: ["entry.activate"]
        ) { run throws(CaseEnd) in
            // Everything before the first pointer: what any host of any version has.
            let size = 16
            let host = HostDouble(
                report: run.report, version: .init(size: size), memory: try GuardedMemory.ending(after: size))
            let result = try EntryUnderTest.load(run).activate(host)
            try expect(result == GLASSES_ERROR_VERSION, "activate answered \(KnownResults.name(result)).")
        },
        ConformanceCase(
            "entry.plain-host", .entry, "a host without any extension is enough", needs: ["entry.activate"]
        ) { run throws(CaseEnd) in
            run.host = HostDouble(report: run.report, version: .init(hasExtensions: false))
            let entry = try EntryUnderTest.activated(run)
            for kind in run.package.kinds where CallbackTable.size(for: kind) != nil {
                _ = try InstanceUnderTest.created(kind, entry, run)
            }
        },
    ]

    private static let factories = [
        ConformanceCase(
            "entry.unknown-factory", .entry, "get_factory answers null for an id that it does not know",
            needs: ["entry.activate"]
        ) { run throws(CaseEnd) in
            let entry = try EntryUnderTest.activated(run)
            let known = PluginKind.allCases.map(\.factoryId)
            let unknown =
                ["", "glasses", "org.example.nothing/1"] + known.flatMap { [$0 + "0", String($0.dropLast(2))] }
            for id in unknown {
                try expect(entry.factory(id) == nil, "get_factory(\"\(id)\") answered a factory.")
            }
        },
        ConformanceCase(
            "entry.factories", .entry, "every factory has its size and its function, and stays where it is",
            needs: ["manifest.kinds"]
        ) { run throws(CaseEnd) in
            let entry = try EntryUnderTest.activated(run)
            for kind in run.package.kinds {
                guard let factory = entry.factory(kind.factoryId) else {
                    throw .failed("There is no \(kind.factoryId).")
                }
                let raw = StructUnderTest(
                    pointer: factory, name: InstanceUnderTest.structName(kind) + "_factory")
                try raw.check(size: MemoryLayout<glasses_transport_factory>.size, firstFunction: 8)
                try expect(entry.factory(kind.factoryId) == factory, "get_factory(\"\(kind.factoryId)\") moved.")
            }
        },
        ConformanceCase(
            "entry.shutdown", .entry, "shutdown returns and leaves no thread and no descriptor",
            needs: ["entry.activate"], limit: .seconds(15)
        ) { run throws(CaseEnd) in
            let entry = try EntryUnderTest.load(run)
            let before = ProcessUsage.now()
            let result = entry.activate(run.host)
            try expect(result == GLASSES_OK, "activate answered \(KnownResults.name(result)).")
            for kind in run.package.kinds where entry.factory(kind.factoryId) == nil {
                throw .failed("There is no \(kind.factoryId).")
            }
            entry.shutdown()
            let after = ProcessUsage.settled(at: before, within: .seconds(1))
            try expect(after.threads <= before.threads, "\(after.threads - before.threads) threads are left.")
            try expect(
                after.descriptors <= before.descriptors,
                "\(after.descriptors - before.descriptors) descriptors are left open.")
        },
    ]
}
