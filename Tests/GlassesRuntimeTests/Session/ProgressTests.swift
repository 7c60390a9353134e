import Foundation
import GlassesAudio
import GlassesDomain
import GlassesTesting
import Testing

@testable import GlassesRuntime

@Suite("The sign that a tool still runs")
struct ProgressTests {
    private func test(_ response: ProgressiveResponseConfig, seconds: Double) async throws -> TestGlasses {
        let test = TestGlasses(config: ExtentosConfig(progressiveResponse: response))
        let clock = test.clock.port
        try await test.start { assistant in
            assistant.tool("look", description: "Looks it up.") {
                try await clock.sleepUntil(clock.now().advanced(by: .fromSeconds(seconds)))
                return .ok("found")
            }
        }
        try await test.userSays("look it up")
        return test
    }

    @Test("After two seconds in which nothing is heard, the phrase is spoken once")
    func phrase() async throws {
        let test = try await test(.custom(phrase: "One moment."), seconds: 8)
        let call = Task { try await test.modelCalls("look") }
        try await Task.sleep(for: .milliseconds(50))
        await test.advance(by: .seconds(3))
        try await test.appSays("One moment.")
        await test.advance(by: .seconds(8))
        #expect(try await call.value.output == "found")
        try await test.modelSays("Found it.")
        #expect(!test.history.contains { if case .assistantText("One moment.", _) = $0 { true } else { false } })
        try await test.finish()
    }

    @Test(
        "A tool that is fast, and no wish for a phrase, leave it quiet",
        arguments: [(ProgressiveResponseConfig.custom(phrase: "One moment."), 1.0), (.default, 8), (.off, 8)])
    func quiet(response: ProgressiveResponseConfig, seconds: Double) async throws {
        let test = try await test(response, seconds: seconds)
        let call = Task { try await test.modelCalls("look") }
        try await Task.sleep(for: .milliseconds(50))
        await test.advance(by: .seconds(10))
        #expect(try await call.value.output == "found")
        try await test.modelSays("Found it.")
        try await test.finish()
    }
}
