import CGlassesPlugin
import GlassesDomain

/// What a speech engine says of itself.
struct EngineFacts: Sendable, Hashable {
    /// The engine's id: the plugin's and the engine's own name, since one plugin may hold a recogniser and a synthesiser.
    var id: String
    /// The name that a person reads.
    var name: String
    /// Frames per second that it takes or makes.
    var sampleRate: Int
    /// The voices of a synthesiser; the first is the default.
    var voices: [String]
    /// The BCP 47 tags of what it understands or speaks, the best first; empty when it does not say.
    var languages: [String]

    /// The facts of a plugin's describe; throws the name of the member that is absent or wrong.
    init(plugin: String, json: JSONValue) throws(WrongFact) {
        guard let name = json["name"]?.stringValue, !name.isEmpty else { throw WrongFact(member: "name") }
        guard let rate = json["sampleRate"]?.intValue.flatMap({ Int(exactly: $0) }),
            TransportFacts.plausibleRates.contains(rate)
        else { throw WrongFact(member: "sampleRate") }
        self.name = name
        id = plugin + "." + Self.token(name)
        sampleRate = rate
        voices = (json["voices"]?.arrayValue ?? []).compactMap(\.stringValue)
        languages = (json["languages"]?.arrayValue ?? []).compactMap(\.stringValue).filter { !$0.isEmpty }
    }

    private static func token(_ name: String) -> String {
        String(name.lowercased().map { $0.isASCII && ($0.isLetter || $0.isNumber) ? $0 : "-" })
    }
}

extension SpeechEngineError {
    /// A failure of an engine's plugin, in its own words where it gave some.
    init(_ failure: PluginFailureReport) {
        let code =
            switch failure.result {
            case .unavailable, .unsupported, .version, .invalid: "engine_unavailable"
            case .busy: "engine_busy"
            case .timeout: "timeout"
            case .cancelled: "cancelled"
            case .ok, .failed, .wrongState, .denied, .tooLarge, .unknown: "engine_failed"
            }
        self.init(code: code, message: failure.message)
    }

    /// An utterance or a text that was called off.
    static let calledOff = SpeechEngineError(code: "cancelled", message: "The request was called off.")

    /// The engine was ended.
    static let ended = SpeechEngineError(code: "cancelled", message: "The speech engine was ended. Load it again.")
}

extension EngineFacts {
    /// Activates an engine and reads what it says of itself. [host]
    static func read(
        _ monitor: CallMonitor, _ kind: PluginKind, activate: () -> glasses_result,
        describe: (UnsafeMutablePointer<CChar>, Int, UnsafeMutablePointer<Int>) -> glasses_result
    ) -> Result<EngineFacts, PluginFailureReport> {
        let result = PluginResult(c: activate())
        guard result == .ok else {
            return .failure(PluginFailureReport(result, plugin: monitor.plugin, function: kind.activateFunction))
        }
        return read(monitor, function: kind.describeFunction, PluginDescription.raw(describe))
    }

    /// Reads what an engine said of itself. [any]
    static func read(
        _ monitor: CallMonitor, function: String, _ description: CText?
    ) -> Result<EngineFacts, PluginFailureReport> {
        guard let json = PluginDescription.object(monitor, function, description) else {
            return .failure(PluginFailureReport(.failed, plugin: monitor.plugin, function: function))
        }
        do {
            return .success(try EngineFacts(plugin: monitor.plugin, json: json))
        } catch {
            monitor.report(.wrongFacts(member: error.member), in: function)
            return .failure(PluginFailureReport(.failed, plugin: monitor.plugin, function: function))
        }
    }
}
