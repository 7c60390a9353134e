import GlassesDomain
import GlassesPipeline
import GlassesPluginHost
import Synchronization
import Testing

@testable @_spi(ExtentosTools) import GlassesCore

@Suite struct SpeechLogTests {
    private struct Line: Equatable, Sendable {
        let level: LogLevel?
        let message: String
        let payload: JSONValue
    }

    private static func lines(_ body: (SpeechLog) -> Void) -> [Line] {
        let lines = Mutex<[Line]>([])
        body(
            SpeechLog { level, message, payload in
                lines.withLock { $0.append(Line(level: level, message: message, payload: payload)) }
            })
        return lines.withLock { $0 }
    }

    @Test func eachChangeOfAnEngineIsOneLineWithItsReason() {
        let broken = SpeechEngineError(code: "timeout", message: "Too late.")
        let lines = Self.lines { log in
            log.notice(.stt, .selected(name: "a"))
            log.notice(.stt, .replaced(name: "b", instead: "a", because: broken))
            log.notice(.stt, .replaced(name: "a", instead: "b", because: nil))
            log.notice(.vad, .unavailable(name: "c", broken))
        }
        #expect(
            lines == [
                Line(level: nil, message: "speech.selected", payload: ["kind": "stt", "plugin": "a"]),
                Line(
                    level: nil, message: "speech.fallback",
                    payload: ["kind": "stt", "from": "a", "to": "b", "code": "timeout", "message": "Too late."]),
                Line(
                    level: nil, message: "speech.fallback",
                    payload: [
                        "kind": "stt", "from": "b", "to": "a", "code": "recovered",
                        "message": "The better engine works again.",
                    ]),
                Line(
                    level: .warn, message: "speech.unavailable",
                    payload: ["kind": "vad", "plugin": "c", "code": "timeout", "message": "Too late."]),
            ])
    }

    @Test func aLostJudgeIsAWarningThatSaysWhatJudgesNow() {
        let lines = Self.lines { $0.notice(.judgeLost(reason: "lagged", losses: 2)) }
        #expect(
            lines == [
                Line(
                    level: .warn, message: "speech.judge_lost",
                    payload: ["reason": "lagged", "losses": 2, "insteadUsed": "energy"])
            ])
    }

    @Test func aChosenEngineThatIsNotInstalledIsToldOf() async {
        var configuration = PluginHostConfiguration(environment: [:])
        configuration.searchPath = PluginSearchPath(entries: [])
        let told = Mutex<[EngineNotice]>([])
        let installation = SpeechInstallation(
            host: PluginHost(configuration: configuration),
            choice: SpeechChoice(recognizer: "org.example.absent", voiceActivity: SpeechChoice.energy),
            clock: LiveClock.port
        ) { _, notice in told.withLock { $0.append(notice) } }
        #expect(await installation.recognizer() == nil)
        #expect(await installation.voiceActivity() == nil)
        let notices = told.withLock { $0 }
        guard case .unavailable("org.example.absent", let error) = notices.first, notices.count == 1 else {
            Issue.record("\(notices)")
            return
        }
        #expect(error.code == "engine_unavailable")
    }
}
