import Foundation
import GlassesDomain
import MWDATMockDevice
import TestProcess
import Testing

/// The built program on the kit of this process. The kit is the process's, so the tests are one after another.
@Suite("The program scripts mock glasses", .serialized)
final class MockProgramTests {
    private let folder = NSTemporaryDirectory() + "mock-" + UUID().uuidString
    private var portFile: String { folder + "/port" }

    init() throws { try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false) }

    deinit { do { try FileManager.default.removeItem(atPath: folder) } catch { print("left behind: \(folder)") } }

    private func run(_ words: String...) async throws -> TestProcess.Outcome {
        try await GlassesProgram.run(["mock"] + words + ["--port-file", portFile])
    }

    private func begin() async throws {
        MockDeviceKit.shared.enable()
        _ = try await MockDeviceKit.shared.startTestServer(portFilePath: portFile)
    }

    @Test("Glasses are paired, worn, fed and looked at from the shell")
    func script() async throws {
        try await begin()
        let paired = try await run("pair", "metaRayBanDisplay")
        #expect(paired.code == 0, "\(paired.errors)")
        let identifier = try #require(paired.lines.first)
        #expect(MockDeviceKit.shared.pairedDevices.map(\.deviceIdentifier) == [identifier])
        for words in [
            ["doff"], ["battery", "15"], ["charging", "charging"], ["thermal", "light"], ["feed", "pattern"],
        ] {
            let outcome = try await GlassesProgram.run(["mock"] + words + ["--port-file", portFile])
            #expect(outcome.code == 0 && outcome.lines == [identifier], "\(words): \(outcome.errors)")
        }
        let state = try #require(try await run("state", "--json").events().first)
        let device = try #require(state["devices"]?.arrayValue?.first)
        #expect(device["isDonned"] == false && device["batteryLevel"] == 15 && device["thermalLevel"] == "light")
        #expect(device["model"] == "metaRayBanDisplay" && device["chargingState"] == "charging")
        let told = try await run("state")
        #expect(told.output.contains("battery 15 % charging") && told.output.contains("not worn"))
        let photo = try await run("photo", folder + "/photo.jpg")
        #expect(photo.code == 0, "\(photo.errors)")
        #expect(try Data(contentsOf: URL(fileURLWithPath: folder + "/photo.jpg")).starts(with: [0xFF, 0xD8, 0xFF]))
        #expect(try await run("photo", folder + "/photo.jpg").code == 3)
        await MockDeviceKit.shared.disable()
    }

    @Test("What has no effect, a wrong word, and glasses that are not there have their exit codes")
    func refusals() async throws {
        try await begin()
        let nobody = try await run("don", "--json")
        #expect(nobody.code == 3)
        #expect(try nobody.events().first?["code"] == "no_device")
        #expect(try await run("pair").code == 0)
        let tap = try await run("tap")
        #expect(tap.code == 1 && tap.errors.contains("no effect"))
        let thermal = try await run("thermal", "warm")
        #expect(thermal.code == 2 && thermal.errors.contains("critical"))
        #expect(try await run("feed", folder + "/missing.mp4").code == 3)
        await MockDeviceKit.shared.disable()
    }

    @Test("Without an app the message says what to do")
    func noApp() async throws {
        let outcome = try await run("don")
        #expect(outcome.code == 3)
        #expect(outcome.errors.contains("startTestServer") && outcome.errors.contains(portFile))
    }
}
