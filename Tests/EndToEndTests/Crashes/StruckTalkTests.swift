import Foundation
import GlassesDomain
import SoundServer
import Testing

/// The whole product while its plugins' processes die. `EXTENTOS_KILLS=full` does all of it, a few minutes long, and prints the
/// figures; every other run does a part.
@Suite(.serialized) struct StruckTalkTests {
    @Test(
        "Whatever process of a plugin dies, whenever, the conversation goes on; three early deaths are the end of the device",
        .timeLimit(.minutes(10)))
    func aConversationSurvivesItsPlugins() async throws {
        let voice = try await SpokenTestVoice()
        try await PrivatePulse.with { pulse in
            // Its reader keeps the sink's latency low.
            let hearing = try await MonitorRecording(pulse, device: "mic.monitor")
            var plan = BlowPlan()
            let (quiet, inSpeech, engines) = (plan.quiet(), plan.inSpeech(), plan.atEngines())
            let talk = try await StruckTalk(pulse, voice, plan)
            try await Self.strikeTransport(quiet, talk)
            try await Self.strikeInSpeech(inSpeech, talk, pulse)
            #expect(talk.errors.isEmpty, "\(talk.errors)")
            try await Self.strikeEngines(engines, talk)
            #expect(talk.states.last == "active" && talk.states.count { $0 == "active" } == 1, "it stayed active")
            try await Self.giveUp(talk)
            #expect(talk.talk.end() == 0)
            hearing.stop()
        }
        await voice.shutdown()
    }

    /// The transport dies while nobody speaks to it: the history is that of an undisturbed run, and nothing grows in the parent.
    private static func strikeTransport(_ blows: [Blow], _ talk: StruckTalk) async throws {
        var lines = [try await talk.turn()]
        let start = ProcessFigures(of: talk.talk.process)
        // As many turns to which nothing happens: a conversation grows by its history, and an allocator keeps what it has.
        if BlowPlan.isFull { for _ in blows { lines.append(try await talk.turn()) } }
        let before = ProcessFigures(of: talk.talk.process)
        for blow in blows { lines.append(try await talk.turn(blow)) }
        let after = ProcessFigures(of: talk.talk.process)
        #expect(talk.history == StruckTalk.history(of: lines))
        #expect(talk.outages.count == blows.count)
        #expect(after.descriptors == before.descriptors)
        #expect(after.children.count == before.children.count)
        #expect(after.threads <= before.threads + 2, "threads of the pool come and go")
        let calm = BlowPlan.isFull ? before.kilobytes - start.kilobytes : 7_168
        #expect(after.kilobytes - before.kilobytes <= calm + 1_024)
        print("kills while nobody spoke: \(blows.map { "\($0.moment) \($0.signal)" }), outages in ms: \(talk.outages)")
        print("at first: \(start.text); before the kills: \(before.text); after them: \(after.text)")
    }

    /// The transport dies while somebody speaks: capture is back soon, and the next sentence is understood.
    private static func strikeInSpeech(_ blows: [Blow], _ talk: StruckTalk, _ pulse: PrivatePulse) async throws {
        let earlier = talk.outages.count
        for blow in blows {
            try await talk.struckSentence(blow)
            try await talk.expectUnderstood()
        }
        let outages = Array(talk.outages.dropFirst(earlier))
        let server = try await serverStart(pulse)
        #expect(outages.count == blows.count)
        // The whole run is made on a machine that does nothing else.
        if BlowPlan.isFull { #expect(outages.allSatisfy { $0 <= 300 + server }) }
        print("outages in ms, in speech: \(outages); a recorder of the sound server needs \(server) ms to begin")
    }

    /// How long the sound server needs until a new recorder gets its first samples, in ms.
    private static func serverStart(_ pulse: PrivatePulse) async throws -> Int {
        let file = SoundLab.folder.appendingPathComponent("start-\(UUID().uuidString)").path
        let began = ContinuousClock.now
        let recorder = try pulse.launch(
            "/usr/bin/parec", ["--raw", "-d", "micsrc", "--latency-msec=20"], output: file)
        defer { recorder.end() }
        let isThere = await eventually(within: 10) {
            var status = stat()
            return stat(file, &status) == 0 && status.st_size > 0
        }
        #expect(isThere)
        return Int((ContinuousClock.now - began).wholeMilliseconds)
    }

    /// Engines die while they work: another one or a new child serves, and the next sentence is understood.
    private static func strikeEngines(_ blows: [Blow], _ talk: StruckTalk) async throws {
        for blow in blows {
            try await talk.struckSentence(blow)
            if BlowPlan.isFull || blow == blows.last { try await talk.expectUnderstood() }
        }
        let changes = talk.talk.events("speechFallback").map { event in
            "\(event["from"]?.stringValue ?? "") -> \(event["to"]?.stringValue ?? "")"
        }
        print("engines struck: \(blows.map(\.kind)); changes: \(changes); errors: \(talk.errors.map(\.jsonText))")
    }

    private static func giveUp(_ talk: StruckTalk) async throws {
        // The first one may hit a child that counts as a good one already.
        let kills = try await talk.killUntilGivenUp()
        #expect((3...4).contains(kills))
        let message = talk.talk.events("pluginGivenUp").first?["message"]?.stringValue ?? ""
        #expect(message.contains("org.extentos.system-device"), "\(message)")
        #expect(message.contains("signal 11"), "\(message)")
        print("given up: \(message)")
    }
}
