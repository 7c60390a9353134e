import Foundation
public import GlassesDomain
public import GlassesPluginHost

/// Holds a plugin against every promise of the ABI, each in a process of its own.
///
/// A crash and a hang are verdicts like any other; nothing of the plugin's code runs in this process. The others are confined as a
/// host's child is, to what the manifest asks for: what works here works after `glasses plugins grant`.
public struct ConformanceRunner: Sendable {
    /// How a run is made.
    public struct Options: Sendable {
        /// The settings for every instance, an object. Default: none.
        public var settings: JSONValue = .object([:])
        /// How often the cases about growth repeat what they do. Default 1,000.
        public var cycles = 1_000
        /// How many cases run at the same time. Default 1: a device may be there only once.
        public var width = 1
        /// Only these cases and what they need; nil for all.
        public var only: Set<String>?
        /// The longest time for one case; nil for each case's own limit.
        public var limit: Duration?
        /// Whether what the cases in `only` need is tried too, and not taken for granted.
        var triesNeeds = true
        /// The path of the validator program; nil for the one beside the running program.
        public var program: String?

        /// The defaults.
        public init() {}
    }

    private let options: Options

    /// A runner with the given options.
    public init(options: Options = Options()) { self.options = options }

    /// The names of all cases with what each promises, in the order of the table.
    public static var promises: [(id: String, promise: String)] { ConformanceCatalog.all.map { ($0.id, $0.promise) } }

    /// Tries every case that concerns the plugin, and tells each result as soon as it is there, on any thread.
    ///
    /// A few minutes at most, since every case has its limit. Throws when the validator program is missing or cannot be started,
    /// and for a name in `only` that is no case.
    public func run(
        _ package: PluginPackage, onResult: @escaping @Sendable (ConformanceResult) -> Void = { _ in }
    ) async throws(ConformanceError) -> ConformanceReport {
        guard let program = options.program ?? Self.programBeside() else { throw .validatorMissing }
        let work = ConformanceWork(plan: ConformancePlan(cases: try chosen(for: package)), onResult: onResult)
        let rights = CaseRights(package, settings: options.settings)
        let words = [package.path, options.settings.jsonText, String(options.cycles), rights.profile]
        let cap = options.limit
        let run: @Sendable (ConformanceCase) throws(ConformanceError) -> ConformanceResult = {
            entry throws(ConformanceError) in
            let limit = min(cap ?? entry.limit, entry.limit)
            let child = CaseChild(
                program: program, arguments: [entry.id] + words, environment: rights.environment, limit: limit)
            return try Self.run(child, entry)
        }
        let width = max(1, options.width)
        await withCheckedContinuation { continuation in
            work.start(width: width, run) { continuation.resume() }
        }
        return try work.report()
    }

    private func chosen(for package: PluginPackage) throws(ConformanceError) -> [ConformanceCase] {
        let cases = ConformanceCatalog.cases(for: package.kinds)
        guard let only = options.only else { return cases }
        var wanted: Set<String> = []
        var open = Array(only)
        while let name = open.popLast() {
            guard let entry = ConformanceCatalog.named(name) else { throw .unknownCase(name) }
            if wanted.insert(name).inserted, options.triesNeeds { open += entry.needs }
        }
        return cases.filter { wanted.contains($0.id) }
    }

    private static func run(
        _ child: CaseChild, _ entry: ConformanceCase
    ) throws(ConformanceError) -> ConformanceResult {
        let start = Moment.now()
        let ending = try child.run()
        let verdict = ending.verdict(limit: child.limit)
        return ConformanceResult(
            id: entry.id, subject: entry.subject, promise: entry.promise, verdict: verdict.verdict,
            reason: verdict.reason, log: verdict.verdict == .pass ? [] : ending.transcript.log,
            duration: Moment.now() - start)
    }

    /// The validator beside the running program, or in `libexec` beside its `bin`.
    private static func programBeside() -> String? {
        guard let folder = ExecutableFolder.current else { return nil }
        let name = ValidatorMain.programName
        return [folder + "/" + name, folder + "/../libexec/extentos/" + name].first { access($0, X_OK) == 0 }
    }
}
