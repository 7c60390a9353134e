import GlassesCore
import Testing

@testable import glasses

@Suite("Why glasses listen hears nothing")
struct ListenProblemTests {
    private func log(_ message: String, _ payload: JSONValue) -> RuntimeEvent {
        .log(level: .warn, message: message, payload: payload)
    }

    @Test("an engine that does not work says why itself, as it does to talk and doctor")
    func brokenEngine() async {
        let problem = await ListenCommand.problem(in: [
            log("speech.unavailable", ["plugin": "org.example.ears", "code": "model_missing", "message": "No model."]),
            log("transcription.engine_unavailable", [:]),
        ])
        #expect(problem?.code == "model_missing")
        #expect(problem?.sentence == "No model.")
        #expect(problem?.command == "Scripts/setup")
    }

    @Test("a microphone that does not open is named by its code")
    func closedMicrophone() async {
        let problem = await ListenCommand.problem(in: [log("microphone.unavailable", ["code": "device_busy"])])
        #expect(problem?.code == "device_busy")
        #expect(problem?.command == "glasses devices --check")
    }

    @Test("without such a line nothing is wrong")
    func nothing() async { #expect(await ListenCommand.problem(in: [log("other", [:])]) == nil) }
}
