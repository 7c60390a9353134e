import Foundation
import GlassesDomain
import GlassesRealtime
import GlassesTesting
import SoundServer

@testable import GlassesCore
@testable import GlassesPluginHost
@testable import GlassesRuntime

/// Glasses on real devices with a provider whose part a test plays.
final class ScriptedConversation: Sendable {
    let glasses: DefaultExtentosGlasses
    let session: any AssistantSession
    let journal: SessionJournal
    /// What the device's plugin logged.
    let pluginLines: PluginLines
    /// The processes that carried the device's plugin, the living one last.
    let pluginProcesses: PluginProcesses
    private let provider = ScriptedProvider()

    /// A session that is awake on the PCMs `microphone` and `speaker`; `none` goes without.
    init(
        microphone: String, speaker: String, isolation: PluginIsolation = .process,
        _ configure: (AssistantConfigBuilder) -> Void = { _ in }
    ) async throws {
        let lines = PluginLines()
        var configuration = PluginHostConfiguration()
        configuration.isolation = isolation
        // What a busy machine and a sound server take to start again is no outage here.
        configuration.supervision.outage = .seconds(20)
        configuration.onLog = { lines.add($0.text) }
        let processes = PluginProcesses()
        configuration.onChild = { processes.add($0.change) }
        let host = PluginHost(configuration: configuration)
        let settings: JSONValue = ["microphone": .string(microphone), "speaker": .string(speaker)]
        glasses = DefaultExtentosGlasses(
            config: ExtentosConfig(),
            ports: RuntimePorts(
                clock: LiveClock.port,
                loadTransport: { await host.transport(id: "org.extentos.system-device", settings: settings) },
                connector: provider.connector, speech: SpeechEngines(speechToText: { nil }, textToSpeech: { nil }),
                seed: { 7 }))
        journal = SessionJournal(glasses)
        pluginLines = lines
        pluginProcesses = processes
        if case .failure(let error) = await glasses.connect() { throw error }
        session = try await glasses.assistant.start(provider: .managed()) {
            $0.startActive = true
            $0.greeting = .off
            configure($0)
        }
        journal.follow(session)
    }

    /// A session on the sinks of a private sound server.
    convenience init(_ pulse: PrivatePulse, _ configure: (AssistantConfigBuilder) -> Void = { _ in }) async throws {
        try await self.init(microphone: pulse.microphone, speaker: pulse.speaker, isolation: .process, configure)
    }

    /// Ends the session and the glasses.
    func end() async {
        await session.stop()
        await glasses.shutdown()
    }

    private var connection: ScriptedConnection? { provider.connections.last }
}

// MARK: - What the provider does

extension ScriptedConversation {
    /// Four seconds of a quiet tone with a loud click every 100 ms, at 24 kHz, so that every position is readable.
    private static let clickedTone: [Int16] = (0..<96_000).map { frame in
        frame % 2_400 < 24 ? 28_000 : Int16(3_000 * sin(2 * .pi * 400 * Double(frame) / 24_000))
    }

    /// The provider speaks answer number `round`, `seconds` long (4 at most), all at once.
    func answer(_ round: Int, seconds: Double = 4) {
        guard let connection else { return }
        let (response, item) = ("resp_\(round)", "item_\(round)")
        connection.say(.responseCreated(RealtimeResponse(id: response, status: .inProgress, conversationId: "conv")))
        let message = ConversationItem(
            id: item, status: .inProgress, body: .message(MessageItem(role: .assistant, content: [])))
        connection.say(.responseOutputItemAdded(OutputItem(responseId: response, item: message)))
        connection.say(.conversationItemAdded(ItemPlacement(item: message, previousItemId: nil)))
        let place = PartReference(responseId: response, itemId: item)
        let samples = Array(Self.clickedTone.prefix(Int(24_000 * seconds)))
        let bytes = PCMBlock(samples: samples, sampleRate: 24_000).littleEndianBytes
        for start in stride(from: 0, to: bytes.count, by: 9_600) {
            let piece = Array(bytes[start..<min(start + 9_600, bytes.count)])
            connection.say(.responseOutputAudioDelta(OutputAudio(place: place, audio: piece)))
        }
        connection.say(.responseOutputAudioDone(OutputAudioDone(place: place)))
        connection.say(.responseDone(RealtimeResponse(id: response, status: .completed, conversationId: "conv")))
    }

    /// The user speaks: answers the `audio_end_ms` with which the client truncates answer number `round`.
    func interrupt(_ round: Int) async throws -> Int {
        guard let connection else { throw CancellationError() }
        connection.say(.inputAudioBufferSpeechStarted(SpeechStarted(itemId: "user_\(round)", audioStartMs: 0)))
        var cut: Int?
        let isThere = await eventually(within: 2) {
            for case .conversationItemTruncate(let truncation) in connection.sent
            where truncation.itemId == "item_\(round)" {
                cut = truncation.audioEndMs
            }
            return cut != nil
        }
        connection.say(.inputAudioBufferSpeechStopped(SpeechStopped(itemId: "user_\(round)", audioEndMs: 0)))
        connection.say(.inputAudioBufferCommitted(BufferCommitted(itemId: "user_\(round)", previousItemId: nil)))
        guard isThere, let cut else { throw NotTruncated(round: round) }
        return cut
    }

    /// A voice without words: a tone that swells and fades, at 48 kHz.
    static func babble(milliseconds: Int) -> [Int16] {
        (0..<milliseconds * 48).map { frame in
            let time = Double(frame) / 48_000
            return Int16(9_000 * (0.55 + 0.45 * sin(2 * .pi * 4 * time)) * sin(2 * .pi * 500 * time))
        }
    }

    /// Somebody coughs over answer number `round`: the provider hears speech, and no words in it.
    func cough(_ round: Int, in pulse: PrivatePulse) async throws {
        guard let connection else { throw CancellationError() }
        let item = "cough_\(round)"
        let sound = try pulse.play(Self.babble(milliseconds: 250), to: "mic")
        try await Task.sleep(for: .milliseconds(200))
        connection.say(.inputAudioBufferSpeechStarted(SpeechStarted(itemId: item, audioStartMs: 0)))
        try await Task.sleep(for: .milliseconds(600))
        connection.say(.inputAudioBufferSpeechStopped(SpeechStopped(itemId: item, audioEndMs: 0)))
        connection.say(.inputAudioBufferCommitted(BufferCommitted(itemId: item, previousItemId: nil)))
        connection.say(
            .inputAudioTranscriptionCompleted(
                TranscriptionCompleted(itemId: item, transcript: "", usage: .duration(seconds: 1))))
        sound.end()
    }

    /// The client did not truncate an answer that was being heard.
    struct NotTruncated: Error { let round: Int }

    /// The provider calls each of `tools` in one answer.
    func call(_ tools: [String]) {
        guard let connection else { return }
        connection.say(.responseCreated(RealtimeResponse(id: "calls", status: .inProgress, conversationId: "conv")))
        let items = tools.map { tool in
            ConversationItem(
                id: "item_\(tool)", status: .completed,
                body: .functionCall(FunctionCallItem(name: tool, arguments: "{}", callId: "call_\(tool)")))
        }
        for item in items { connection.say(.responseOutputItemDone(OutputItem(responseId: "calls", item: item))) }
        connection.say(
            .responseDone(
                RealtimeResponse(id: "calls", status: .completed, output: items, conversationId: "conv")))
    }

    /// The outputs that the client sent for calls, by call id.
    var toolOutputs: [String: [String]] {
        var outputs: [String: [String]] = [:]
        for case .conversationItemCreate(let creation) in connection?.sent ?? [] {
            guard case .functionCallOutput(let output) = creation.item.body else { continue }
            outputs[output.callId, default: []].append(output.output)
        }
        return outputs
    }

    /// How many bytes of the microphone's audio the client has sent.
    var sentAudio: Int { connection?.appendedBytes ?? 0 }

    /// How many answers the client has asked for.
    var requests: Int {
        (connection?.sent ?? []).count { if case .responseCreate = $0 { true } else { false } }
    }

    /// Types `text`, which the provider takes as every provider does; fails as the session's `sendText` does.
    func type(_ text: String) async throws {
        let known = (connection?.sent ?? []).count
        async let accepted: Void = session.sendText(text)
        _ = await eventually(within: 2) { takeTurn(after: known) }
        try await accepted
    }

    private func takeTurn(after known: Int) -> Bool {
        for case .conversationItemCreate(let creation) in (connection?.sent ?? []).dropFirst(known) {
            connection?.say(.conversationItemAdded(ItemPlacement(item: creation.item, previousItemId: nil)))
            return true
        }
        return false
    }

    /// The first frame of each click.
    static func clicks(in samples: ArraySlice<Int16>) -> [Int] {
        var clicks: [Int] = []
        for index in samples.indices where samples[index] > 15_000 {
            if let last = clicks.last, index - last < 48 * 50 { continue }
            clicks.append(index)
        }
        return clicks
    }
}
