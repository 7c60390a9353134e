import Foundation
import TestProcess
import Testing

/// `Examples/CameraTool` as its user starts it, on virtual devices and without a gateway.
@Suite(.serialized, .timeLimit(.minutes(5))) struct CameraToolTests {
    private static let folder = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()

    private static func ask(_ question: String, settings: String) async throws -> TestProcess.Outcome {
        var program = TestProcess(
            folder.appendingPathComponent("CameraTool").path,
            ["--type", question, "--device", "org.extentos.loopback", "--settings", settings])
        program.environment = [
            "EXTENTOS_GATEWAY_URL": nil, "EXTENTOS_GATEWAY_TOKEN": nil, "EXTENTOS_PLUGIN_PATH": nil,
            "XDG_DATA_HOME": "/nonexistent",
        ]
        program.limit = .seconds(120)
        return try await program.run()
    }

    /// The loopback device's camera streams upright pictures of 360 × 640 pixels and two larger sizes.
    @Test func theOfflineAnswerTellsWhatCanBeMeasuredAndThatNothingIsRecognised() async throws {
        let outcome = try await Self.ask("What do you see?", settings: #"{"camera":true}"#)
        #expect(outcome.code == 0)
        #expect(outcome.lines.contains("You: What do you see?"))
        #expect(outcome.lines.contains { $0.hasPrefix("Note (vision_unsupported): ") })
        let answer = try #require(outcome.lines.last { $0.hasPrefix("Assistant: ") }, "\(outcome)")
        #expect(answer.hasPrefix("Assistant: I took a photo. I can't recognise what is in a picture. This one is "))
        #expect(answer.contains(" pixels, "))
        #expect(answer.hasSuffix(", and it came just now."))
        #expect(!outcome.output.contains("base64"))
    }

    @Test func aDeviceWithoutACameraIsSaidSo() async throws {
        let outcome = try await Self.ask("What do you see?", settings: "{}")
        #expect(outcome.code == 0)
        let answer = try #require(outcome.lines.last { $0.hasPrefix("Assistant: ") }, "\(outcome)")
        #expect(answer.hasPrefix("Assistant: Sorry, look did not work: "))
    }
}
