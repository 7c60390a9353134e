import Foundation
import GlassesDomain

/// Finds plugins and says which can be used; runs none of their code in this process.
public final class PluginCatalog: Sendable {
    /// As many probes at a time as a small board can run without missing their limits.
    private static let width = 4
    /// Plugins larger than this are not hashed: a library of a gigabyte is a mistake.
    private static let libraryLimit = 1 << 30

    private let configuration: PluginHostConfiguration
    private let memory: ProbeMemory
    private let prober: PluginProber

    /// A catalog of the places that `configuration` names.
    public init(configuration: PluginHostConfiguration = PluginHostConfiguration()) {
        self.configuration = configuration
        memory = ProbeMemory(folder: configuration.cacheFolder, startsEmpty: configuration.probesAgain)
        prober = PluginProber(
            memory: memory, program: ChildProgram.probe.find(configured: configuration.probeProgram),
            limit: configuration.probeLimit, executor: configuration.executor)
    }

    /// How many probe children were started so far; for diagnostics.
    public var startedProbes: Int { get async { await prober.startedProbes } }

    /// Looks at every place of the search path. A bad plugin never ends the scan: it is listed with its reason.
    ///
    /// Takes at most the probe's limit for every four unknown libraries; libraries that were seen before start no child.
    public func scan() async -> PluginScan {
        let candidates = self.candidates()
        var verdicts = [Verdict?](repeating: nil, count: candidates.count)
        await withTaskGroup(of: (Int, Verdict).self) { group in
            var next = 0
            func start() {
                guard next < candidates.count else { return }
                let index = next
                next += 1
                group.addTask { (index, await self.examine(candidates[index])) }
            }
            for _ in 0..<Self.width { start() }
            while let (index, verdict) = await group.next() {
                verdicts[index] = verdict
                start()
            }
        }
        var scan = Self.sort(verdicts.compactMap { $0 })
        do { try memory.save() } catch { scan.memoryProblem = error.description }
        return scan
    }

    private enum Verdict: Sendable {
        case found(FoundPlugin, manifestPath: String)
        case refused(RefusedPlugin)
    }

    /// The same plugin may be reached twice, through a link or through two entries of the path; it counts once.
    private func candidates() -> [PluginCandidate] {
        var seen: Set<String> = []
        return configuration.searchPath.entries.flatMap { PluginFinder().candidates(at: $0) }.filter { candidate in
            guard let real = realpath(candidate.manifestPath, nil) else { return true }
            defer { free(real) }
            return seen.insert(String(cString: real)).inserted
        }
    }

    private static func sort(_ verdicts: [Verdict]) -> PluginScan {
        var scan = PluginScan()
        var places: [String: String] = [:]
        for verdict in verdicts {
            switch verdict {
            case .refused(let plugin): scan.refused.append(plugin)
            case .found(let plugin, let path):
                if let first = places[plugin.manifest.id] {
                    scan.refused.append(
                        RefusedPlugin(
                            id: plugin.manifest.id, kinds: plugin.manifest.kinds, manifestPath: path,
                            refusal: .shadowed(by: first)))
                } else {
                    places[plugin.manifest.id] = path
                    scan.found.append(plugin)
                }
            }
        }
        return scan
    }

    private func examine(_ candidate: PluginCandidate) async -> Verdict {
        var manifest: PluginManifest?
        do {
            // Read before it may be trusted: a refusal names the plugin that somebody misses.
            let claimed = Result { () throws(PluginRefusal) in try readManifest(candidate) }
            if case .success(let readable) = claimed { manifest = readable }
            try checkPermissions(candidate.manifestPath)
            let plugin = try await examine(claimed.get(), candidate)
            return .found(plugin, manifestPath: candidate.manifestPath)
        } catch {
            return .refused(
                RefusedPlugin(
                    id: manifest?.id, kinds: manifest?.kinds ?? [], manifestPath: candidate.manifestPath,
                    refusal: error))
        }
    }

    private func checkPermissions(_ path: String) throws(PluginRefusal) {
        do {
            try configuration.permissions.check(path)
        } catch {
            throw .permissions(error)
        }
    }

    private func readManifest(_ candidate: PluginCandidate) throws(PluginRefusal) -> PluginManifest {
        let needsLibrary = candidate.libraryPath == nil
        let bytes: [UInt8]?
        do {
            bytes = try PluginFile.read(candidate.manifestPath, limit: PluginManifestReader.sizeLimit)
        } catch {
            throw .manifest(.unreadable(reason: error.description))
        }
        guard let bytes else { throw .manifest(.tooLarge(limit: PluginManifestReader.sizeLimit)) }
        do {
            return try PluginManifestReader.read(bytes, needsLibrary: needsLibrary)
        } catch {
            throw .manifest(error)
        }
    }

    private func examine(
        _ manifest: PluginManifest, _ candidate: PluginCandidate
    ) async throws(PluginRefusal) -> FoundPlugin {
        let library = candidate.library(of: manifest) ?? ""
        guard let file = PluginFile(path: library), file.isRegular else { throw .libraryMissing(path: library) }
        try checkPermissions(library)
        if let digest = manifest.sha256 { try Self.check(digest, library) }
        let factories = try await prober.factories(of: library, file: file).get()
        for kind in manifest.kinds where !factories.contains(kind.factoryId) { throw .kindNotOffered(kind) }
        return FoundPlugin(manifest: manifest, library: library, factories: factories)
    }

    private static func check(_ digest: String, _ library: String) throws(PluginRefusal) {
        let bytes: [UInt8]?
        do {
            bytes = try PluginFile.read(library, limit: libraryLimit)
        } catch {
            throw .libraryMissing(path: library)
        }
        guard let bytes, SHA256.hexadecimal(of: bytes) == digest else { throw .digestMismatch }
    }
}
