import GlassesPluginHost

/// What one case is tried on, and what it tells on the way.
final class CaseRun {
    /// The plugin's files and manifest.
    let package: PluginPackage
    /// The settings for every instance, a JSON object.
    let settings: String
    /// How often a case about growth repeats what it does.
    let cycles: Int
    /// Where steps and log lines go.
    let report: CaseReport
    /// What a pass wants to tell all the same.
    var note: String?
    /// The host that the plugin gets.
    lazy var host = HostDouble(report: report)

    init(package: PluginPackage, settings: String, cycles: Int, report: CaseReport) {
        self.package = package
        self.settings = settings
        self.cycles = cycles
        self.report = report
    }

    /// Calls into the plugin; a crash or a hang is told with the name of the function.
    func call<T>(_ function: String, _ body: () -> T) -> T {
        report.step(function)
        defer { report.step("waiting after " + function) }
        return body()
    }

    /// Calls into the plugin and answers how long it took, too.
    func timed<T>(_ function: String, _ body: () -> T) -> (T, Duration) {
        let start = Moment.now()
        let value = call(function, body)
        return (value, Moment.now() - start)
    }
}
