import Foundation
import GlassesDomain
import GlassesPluginHost

/// The whole of the program `glasses-plugin-validator`: tries one case on one plugin and reports on descriptor 3.
public enum ValidatorMain {
    /// The program's name.
    public static let programName = "glasses-plugin-validator"

    /// Tries the case `arguments[1]` on the plugin at `arguments[2]` with the settings `arguments[3]` and the number of cycles
    /// `arguments[4]`, confined to the profile `arguments[5]`. The exit status is 0 when the case ended, whatever its verdict, and 2 for a wrong use.
    ///
    /// It ends the process itself, without running the plugin's destructors: what they do is no promise of the ABI.
    public static func run(arguments: [String]) -> Never {
        guard arguments.count == 6, let subject = ConformanceCatalog.named(arguments[1]),
            let cycles = Int(arguments[4]), cycles > 0, let profile = profile(arguments[5])
        else {
            FileHandle.standardError.write(Data("usage: \(programName) CASE PLUGIN SETTINGS CYCLES PROFILE\n".utf8))
            _exit(2)
        }
        leaveNoCore()
        let report = CaseReport()
        do throws(PluginPackageError) {
            let package = try PluginPackage(path: arguments[2])
            // While this is the only thread, and before anything of the plugin runs.
            for shortcoming in PluginSandbox.enter(profile).shortcomings {
                report.log("The plugin's process is not confined as it should be: \(shortcoming)")
            }
            let run = CaseRun(package: package, settings: arguments[3], cycles: cycles, report: report)
            tell(report, run) { () throws(CaseEnd) in try subject.check(run) }
        } catch {
            report.end(.fail, error.description)
        }
        _exit(0)
    }

    private static func tell(_ report: CaseReport, _ run: CaseRun, _ check: () throws(CaseEnd) -> Void) {
        do throws(CaseEnd) {
            try check()
            report.end(.pass, run.note)
        } catch {
            switch error {
            case .failed(let reason): report.end(.fail, reason)
            case .skipped(let reason): report.end(.skipped, reason)
            }
        }
    }

    private static func profile(_ text: String) -> SandboxProfile? {
        do { return try SandboxProfile(text: text) } catch { return nil }
    }

    /// A plugin that crashes here is an expected verdict; its core file helps nobody.
    private static func leaveNoCore() {
        var none = rlimit(rlim_cur: 0, rlim_max: 0)
        setrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &none)
    }
}
