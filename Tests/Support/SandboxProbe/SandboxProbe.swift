import Foundation
import GlassesDomain
import GlassesPluginHost

/// A child as the tests of the sandbox need it: confines itself by the profile in its first argument (or not, if that is empty),
/// prints the report, loads the library in its second, and calls its `probe` function, which prints what it tried.
enum SandboxProbe {
    static func run(_ arguments: [String]) -> Int32 {
        guard arguments.count == 3 else { return 2 }
        do {
            print(try report(arguments[1]).jsonText)
        } catch {
            FileHandle.standardError.write(Data("\(error)\n".utf8))
            return 2
        }
        guard let library = dlopen(arguments[2], RTLD_NOW), let symbol = dlsym(library, "probe") else {
            FileHandle.standardError.write(Data("\(String(cString: dlerror()))\n".utf8))
            return 3
        }
        // What was printed so far must not be lost with a plugin that ends the process.
        fflush(nil)
        unsafeBitCast(symbol, to: (@convention(c) () -> Void).self)()
        fflush(nil)
        return 0
    }

    private static func report(_ profile: String) throws(SandboxProfileError) -> JSONValue {
        if profile.isEmpty { return ["landlockABI": 0, "measures": [:]] }
        let report = PluginSandbox.enter(try SandboxProfile(text: profile))
        let measures = report.outcomes.map { measure, outcome -> (String, JSONValue) in
            switch outcome {
            case .enforced: (measure.rawValue, ["enforced"])
            case .partly(let reason): (measure.rawValue, ["partly", .string(reason)])
            case .absent(let reason): (measure.rawValue, ["absent", .string(reason)])
            }
        }
        return [
            "landlockABI": .int(Int64(report.landlockABI)),
            "measures": .object(Dictionary(uniqueKeysWithValues: measures)),
        ]
    }
}
