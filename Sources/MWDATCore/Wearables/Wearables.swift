import Foundation
import Glibc
import Synchronization

/// The toolkit's entry point.
///
/// Call ``configure()`` once when the app starts, then use ``shared``. Any thread.
public enum Wearables {
    private struct Process {
        var hub: WearablesHub?
        var problems: [ConfigurationProblem] = []
        var companion: (any WearablesCompanion)?

        /// Makes the toolkit.
        mutating func install(_ configuration: Configuration, _ problems: [ConfigurationProblem]) -> WearablesHub {
            let hub = WearablesHub(link: NoLink(), configuration: configuration, problems: problems)
            hub.use(companion: companion)
            self.hub = hub
            return hub
        }
    }

    private static let process = Mutex(Process())

    /// Configures the toolkit from a file of Info.plist's form: the one that `MWDAT_INFO_PLIST` names, or
    /// `<executable>-Info.plist` or `Info.plist` beside the executable.
    ///
    /// - Throws: `alreadyConfigured` the second time, which changes nothing; `configurationError` when a key is missing or wrong, which
    ///   ``configurationProblems`` and a line on the error output name; `internalError` when the file cannot be read.
    public static func configure() throws(WearablesError) {
        let candidates = InfoPlist.candidates(
            environment: ProcessInfo.processInfo.environment, executable: Self.executable)
        guard let path = candidates.first(where: FileManager.default.fileExists) else {
            let problem = ConfigurationProblem(
                key: "Info.plist", severity: .preventsUse,
                message: "There is none at \(candidates.joined(separator: " or ")): write one, name one with "
                    + "MWDAT_INFO_PLIST, or call Wearables.configure(_:) with a Configuration.")
            return try install(nil, [problem])
        }
        try configure(infoPlist: URL(fileURLWithPath: path))
    }

    /// Configures the toolkit from a file of Info.plist's form, as XML or binary.
    ///
    /// - Throws: as ``configure()``.
    public static func configure(infoPlist: URL) throws(WearablesError) {
        guard sharedIfConfigured == nil else { throw .alreadyConfigured }
        let values: [String: Any]
        do throws(InfoPlist.Failure) {
            values = try InfoPlist.read(infoPlist.path)
        } catch {
            note([ConfigurationProblem(key: "Info.plist", severity: .preventsUse, message: error.description)])
            throw .internalError
        }
        try configure(infoDictionary: values)
    }

    /// Configures the toolkit from a dictionary of Info.plist's form.
    ///
    /// - Throws: as ``configure()``.
    public static func configure(infoDictionary: [String: Any]) throws(WearablesError) {
        let problems = Configuration.problems(in: infoDictionary)
        var configuration: Configuration?
        do throws(ConfigurationError) { configuration = try Configuration(infoDictionary: infoDictionary) } catch {
            // `problems` names the same key.
            configuration = nil
        }
        try install(configuration, problems)
    }

    /// Configures the toolkit from code.
    ///
    /// - Throws: as ``configure()``.
    public static func configure(_ configuration: Configuration) throws(WearablesError) {
        try install(configuration, configuration.problems)
    }

    /// The process's toolkit.
    ///
    /// - Precondition: ``configure()`` has succeeded, or the mock device kit is enabled; else the process ends with a sentence that
    ///   says so. ``sharedIfConfigured`` asks without that risk.
    public static var shared: any WearablesInterface {
        guard let shared = sharedIfConfigured else {
            let sentence =
                "Wearables.shared was used before Wearables.configure() succeeded: call it when the app starts."
            Warnings.tell(sentence)
            preconditionFailure(sentence)
        }
        return shared
    }

    /// The process's toolkit; nil before ``configure()``.
    public static var sharedIfConfigured: (any WearablesInterface)? { hub }

    /// Keys of the configuration that are missing or wrong, after the last call of ``configure()``.
    public static var configurationProblems: [ConfigurationProblem] { process.withLock { $0.problems } }

    /// Whether a session could be started now, and what is missing.
    public static func readiness() -> WearablesReadiness {
        hub?.readiness() ?? .notConfigured(configurationProblems)
    }

    /// Lets `companion` be asked in the place of a phone's companion app; nil for the link's own again. It may be set before
    /// ``configure()``.
    public static func use(companion: (any WearablesCompanion)?) {
        // The earlier one is the app's object, and goes outside the lock.
        let (hub, earlier) = process.withLock { process in
            defer { process.companion = companion }
            return (process.hub, process.companion)
        }
        hub?.use(companion: companion)
        withExtendedLifetime(earlier) {}
    }

    /// Tells the toolkit that the app is in the background: a raw stream pauses then, as on a phone. A desktop app has no such
    /// life cycle; a test, or an app that wants to spare the glasses, calls it.
    public static func appDidEnterBackground() { hub?.setAppInBackground(true) }

    /// Tells the toolkit that the app is in the foreground again.
    public static func appWillEnterForeground() { hub?.setAppInBackground(false) }

    /// The process's toolkit, with what other modules of the package need of it.
    package static var hub: WearablesHub? { process.withLock { $0.hub } }

    /// Talks over `link` from now on, nil for none; configures the toolkit with `configuration` when that has not happened.
    @discardableResult
    package static func use(link: (any WearablesLink)?, configuration: Configuration) -> WearablesHub {
        let hub = process.withLock { process in
            if let hub = process.hub { return hub }
            return process.install(configuration, configuration.problems)
        }
        // Not under the lock: a link that opens may wait for a thread that looks for the hub.
        hub.use(link: link ?? NoLink())
        return hub
    }

    /// Forgets the configuration, and ends everything. For tests.
    package static func resetForTesting() {
        let earlier = process.withLock { process in
            defer { process = Process() }
            return process
        }
        earlier.hub?.shutDown()
    }

    private static func install(_ configuration: Configuration?, _ problems: [ConfigurationProblem])
        throws(WearablesError)
    {
        let isUsable = !problems.contains { $0.severity == .preventsUse }
        let isNew = process.withLock { process in
            guard process.hub == nil else { return false }
            process.problems = problems
            if isUsable, let configuration { _ = process.install(configuration, problems) }
            return true
        }
        guard isNew else { throw .alreadyConfigured }
        for problem in problems { Warnings.tell("\(problem)") }
        if !isUsable { throw .configurationError }
    }

    private static func note(_ problems: [ConfigurationProblem]) {
        process.withLock { $0.problems = problems }
        for problem in problems { Warnings.tell("\(problem)") }
    }

    /// The path of this program's file.
    private static var executable: String {
        var path = [CChar](repeating: 0, count: Int(PATH_MAX))
        let count = readlink("/proc/self/exe", &path, path.count)
        guard count > 0 else { return CommandLine.arguments.first ?? "" }
        return String(decoding: path.prefix(count).map(UInt8.init(bitPattern:)), as: UTF8.self)
    }
}
