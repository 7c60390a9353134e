import Foundation
import TestProcess
import Testing

/// `Examples/CameraAccess` as its user starts it, on simulated glasses.
@Suite(.serialized, .timeLimit(.minutes(3))) struct CameraAccessTests {
    private static let folder = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()

    private static func run(_ script: String) async throws -> TestProcess.Outcome {
        var program = TestProcess(folder.appendingPathComponent("CameraAccess").path, [script])
        program.limit = .seconds(90)
        return try await program.run()
    }

    /// The guide's way: register, choose a device, start a session, preview, photo, fold and resume, stop.
    @Test func theWholeWayOfTheGuideWorks() async throws {
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID().uuidString).jpg")
        defer { unlink(file.path) }
        let outcome = try await Self.run(
            "register; devices; choose 1; start; preview; look; photo \(file.path); fold; unfold; wear; start; preview; look; stop"
        )
        #expect(outcome.code == 0, "\(outcome)")
        let lines = outcome.lines
        #expect(lines.contains("  registration: registered"))
        #expect(lines.contains { $0.hasPrefix(" 1  Ray-Ban Meta (rayBanMeta): connected, compatible, donned") })
        #expect(lines.filter { $0 == "  stream: streaming" }.count == 2)
        #expect(lines.filter { $0.hasPrefix("picture ") && $0.hasSuffix(", 504 × 896 pixels") }.count == 2)
        #expect(lines.contains("  because: The glasses are folded. Unfold them and start a new session."))
        #expect(lines.last == "  session: stopped")
        let photo = try Data(contentsOf: file)
        #expect(photo.prefix(3) == Data([0xFF, 0xD8, 0xFF]))
        #expect(lines.contains("photo of \(photo.count) bytes in \(file.path)"))
    }

    @Test func aTapHoldsThePreviewAndAnotherOneResumesIt() async throws {
        let outcome = try await Self.run("register; start; preview; look; tap; tap; stop")
        #expect(outcome.code == 0, "\(outcome)")
        let states = outcome.lines.filter { $0.hasPrefix("  stream: ") }.map { $0.dropFirst(10) }
        #expect(
            states == ["waitingForDevice", "starting", "streaming", "paused", "streaming", "stopping", "stopped"])
    }

    @Test func withoutASessionThereIsNoPreviewAndAnExitCodeSaysSo() async throws {
        let outcome = try await Self.run("register; preview")
        #expect(outcome.code == 1)
        #expect(outcome.errors == "There is no session. Type start first.\n")
    }

    @Test func aPreviewInAPausedSessionTellsWhatItWaitsForAndLetsThePersonGoOn() async throws {
        let outcome = try await Self.run("register; start; tap; preview; tap; look; stop")
        #expect(outcome.code == 0, "\(outcome)")
        #expect(!outcome.lines.contains("The preview has not begun yet."))
        #expect(outcome.lines.contains { $0.hasPrefix("picture ") })
    }

    @Test(arguments: [Int.min, -1, 0, 2, Int.max]) func aNumberOfNoDeviceIsRefused(number: Int) async throws {
        let outcome = try await Self.run("choose \(number)")
        #expect(outcome.code == 1)
        #expect(outcome.errors == "There is no device \(number). Type devices to see them.\n")
    }
}
