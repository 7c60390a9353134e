import GlassesDomain
import GlassesPipeline
@_spi(ExtentosTools) import GlassesRuntime
import GlassesTesting
import Synchronization
import Testing

@_spi(ExtentosTools) @testable import GlassesCore

/// Sessions with the pipeline of this process and its rules, by the real clock.
@Suite(.serialized) struct RulesSessionTests {
    private func connector() -> RealtimeConnector {
        let engines = PipelineEngines(
            recognizer: CountingEar(), synthesizer: ToneVoice(), brain: RulesPipelineBrain())
        return PipelineConnector.make(engines: engines, clock: LiveClock.port)
    }

    @Test(.timeLimit(.minutes(1))) func aGoodbyeIsAnsweredAndHeardAndThenTheSessionSleeps() async throws {
        let live = try await LiveSession(connector())
        try await live.session.sendText("Goodbye.")
        let sleeps = await LiveSession.until(.seconds(30)) { live.events.contains(.wentDormant) }
        try #require(sleeps, "\(live.events)")
        #expect(live.session.state.current == .dormant)
        let events = live.events
        #expect(events.count(where: { $0 == .assistantSpoke(transcript: "Goodbye.") }) == 1)
        let finished = try #require(events.firstIndex(of: .assistantAudioFinished))
        let dormant = try #require(events.firstIndex(of: .wentDormant))
        #expect(finished < dormant)
        try await live.session.wake()
        #expect(live.session.state.current == .active)
        await live.end()
    }

    @Test(.timeLimit(.minutes(1))) func theBatteryIsToldAsItIsThen() async throws {
        let live = try await LiveSession(connector())
        let events = live.glasses.runtime.events
        live.device.report(.powerChanged(DevicePower(battery: 38)))
        for await case .log(_, "device.power", _) in events { break }
        try await live.session.sendText("How much battery is left?")
        let answer = AssistantEvent.assistantSpoke(
            transcript: "This is Simulated device. Its battery is at 38 percent.")
        let isTold = await LiveSession.until(.seconds(30)) { live.events.contains(answer) }
        #expect(isTold, "\(live.events)")
        await live.end()
    }

    @Test(.timeLimit(.minutes(1))) func theLevelsOfAVoiceAreReadFromBeforeTheStartToTheEndOfTheSession() async throws {
        let live = try await LiveSession(connector(), starts: false)
        let levels = Mutex<(all: [Float], hasEnded: Bool)>(([], false))
        let stream = live.session.audioLevels()
        let reader = Task {
            for await level in stream { levels.withLock { $0.all.append(level) } }
            levels.withLock { $0.hasEnded = true }
        }
        try await live.session.start()
        // 20 ms a letter: 1.2 s.
        let text = "It is a fine day today, so that nobody here has to be quick."
        try await live.session.say(text)
        _ = await LiveSession.until(.seconds(30)) { live.events.contains(.assistantAudioFinished) }
        _ = await LiveSession.until(.seconds(5)) { levels.withLock { $0.all.last == 0 } }
        let heard = levels.withLock { $0.all }
        #expect(heard.last == 0)
        let loud = heard.filter { abs($0 - 500 / 32_768) < 0.003 }
        // A busy machine is late with some of its 30 values, and makes up for none.
        #expect((8...33).contains(loud.count), "\(heard)")
        #expect(heard.allSatisfy { (0...0.02).contains($0) })

        try await live.session.say(text + text)
        _ = await LiveSession.until(.seconds(30)) { levels.withLock { $0.all.count } > heard.count + 4 }
        await live.session.cancelSpeak()
        _ = await LiveSession.until(.seconds(5)) { levels.withLock { $0.all.last == 0 } && !live.isAudible }
        let cut = levels.withLock { $0.all }
        #expect(cut.last == 0)
        try await Task.sleep(for: .milliseconds(200))
        #expect(levels.withLock { $0.all.count } == cut.count, "nothing is measured while nothing is audible")
        await live.end()
        await reader.value
        #expect(levels.withLock { $0.hasEnded })
    }
}
