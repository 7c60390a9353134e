import GlassesDomain
import GlassesPluginHost

/// `plugin.json` and the library's file.
enum ManifestCases {
    static let all = [
        ConformanceCase("manifest.readable", .manifest, "plugin.json keeps every rule of the manifest") {
            run throws(CaseEnd) in
            let errors = run.package.check.findings.filter { $0.severity == .error }
            try expect(errors.isEmpty, errors.map(\.description).joined(separator: " "))
            if !run.package.check.findings.isEmpty {
                run.note = run.package.check.findings.map(\.description).joined(separator: " ")
            }
        },
        ConformanceCase(
            "manifest.digest", .manifest, "sha256, where present, is that of the library", needs: ["manifest.readable"]
        ) { run throws(CaseEnd) in
            guard let wanted = run.package.check.manifest?.sha256 else {
                throw .skipped("plugin.json has no sha256; `glasses plugins pack` writes it")
            }
            let digest = SHA256.hexadecimal(of: try libraryBytes(run))
            try expect(digest == wanted, "The library's SHA-256 is \(digest). Pack the plugin again.")
        },
        ConformanceCase(
            "manifest.exports", .manifest, "the library exports glasses_plugin_entry and no other symbol",
            needs: ["entry.present"]
        ) { run throws(CaseEnd) in
            guard let symbols = ExportedSymbols(try libraryBytes(run)) else {
                throw .failed("The library's table of symbols cannot be read.")
            }
            let others = symbols.names.filter { $0 != "glasses_plugin_entry" }
            try expect(
                others.isEmpty,
                "The library also exports \(others.prefix(3).joined(separator: ", "))\(others.count > 3 ? " and \(others.count - 3) more" : ""). "
                    + "Hide them, with a version script or -fvisibility=hidden.")
        },
        ConformanceCase(
            "manifest.kinds", .manifest, "the kinds of plugin.json are those that the library offers",
            needs: ["entry.activate"]
        ) { run throws(CaseEnd) in
            let entry = try EntryUnderTest.activated(run)
            let offered = PluginKind.allCases.filter { entry.factory($0.factoryId) != nil }
            for kind in run.package.kinds {
                try expect(
                    offered.contains(kind), "plugin.json promises \(kind.rawValue), which get_factory does not offer.")
            }
            for kind in offered {
                try expect(
                    run.package.kinds.contains(kind),
                    "The library offers \(kind.rawValue), which plugin.json does not name.")
            }
        },
        ConformanceCase(
            "manifest.capabilities", .manifest, "the capabilities of plugin.json are those of describe",
            needs: ["transport.describe"]
        ) { run throws(CaseEnd) in
            let listed = run.package.check.manifest?.capabilities ?? []
            guard run.package.kinds.contains(.transport), !listed.isEmpty else {
                throw .skipped("plugin.json lists no capabilities of a device")
            }
            let facts = try InstanceUnderTest.activated(.transport, run).facts()
            for name in ["camera", "microphone", "speaker", "display", "registration", "power", "input"] {
                let isTrue = facts["capabilities"]?[name]?.boolValue == true
                // An app's settings may leave a stream out; more than the manifest promises is what nobody looks for.
                try expect(
                    !isTrue || listed.contains(name), "describe has \"\(name)\", which plugin.json does not list.")
            }
        },
    ]

    private static func libraryBytes(_ run: CaseRun) throws(CaseEnd) -> [UInt8] {
        do {
            if let bytes = try run.package.libraryBytes() { return bytes }
        } catch {
            throw .failed(error.description)
        }
        throw .failed("The library is larger than any plugin is.")
    }
}
