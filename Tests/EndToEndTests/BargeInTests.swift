import Foundation
import GlassesDomain
import GlassesPluginHost
import GlassesRealtime
import GlassesTesting
import SoundServer
import Testing

@testable import GlassesCore
@testable import GlassesRuntime

/// A hundred interruptions at random moments, judged by what a recorder at the loudspeaker heard.
@Suite(.serialized) struct BargeInTests {
    /// Frames of a millisecond in the recording.
    private static let millisecond = 48
    /// The device's buffer, which the cut drops: what the sound server holds behind it is heard a little longer.
    private static let deviceBufferMs = 50
    private static let cuts = 100

    @Test(.timeLimit(.minutes(4)))
    func aHundredCutsStopTheSoundInTimeAndTellWhereItWasCut() async throws {
        try await PrivatePulse.with { pulse in
            let recording = try await MonitorRecording(pulse)
            let rig = try await BargeInRig(pulse)
            var generator = SeededRandom(state: 20_261_130)
            var silenced: [Double] = []
            var errors: [Double] = []
            for round in 1...Self.cuts {
                let before = recording.frameCount
                rig.answer(round)
                let wait = Int.random(in: 150...1_500, using: &generator)
                try await Task.sleep(for: .milliseconds(400 + wait))
                let spokeAt = recording.frameCount
                let cut = try await rig.interrupt(round)
                try await Task.sleep(for: .milliseconds(250))
                let heard = recording.samples(from: before)
                let last = try #require(heard.lastIndex { abs(Int($0)) > 500 }, "round \(round) was heard")
                silenced.append(Double(before + last - spokeAt) / Double(Self.millisecond))
                errors.append(Double(cut) - Self.playedMilliseconds(heard))
            }
            recording.stop()
            await rig.end()
            let late = silenced.sorted()[Self.cuts * 99 / 100 - 1]
            print("barge-in: last voiced sample after speech_started, ms: p50 \(silenced.sorted()[50]), p99 \(late)")
            print("barge-in: audio_end_ms minus heard, ms: \(errors.min() ?? 0) … \(errors.max() ?? 0)")
            #expect(late <= Double(40 + Self.deviceBufferMs))
            #expect(errors.allSatisfy { $0 <= 10 && $0 >= -60 })
        }
    }

    /// The position in the answer at which the recording ends: its clicks come every 100 ms on a tone that tells what lies between.
    private static func playedMilliseconds(_ heard: [Int16]) -> Double {
        guard let first = heard.firstIndex(where: { abs(Int($0)) > 500 }),
            let last = heard.lastIndex(where: { abs(Int($0)) > 500 })
        else { return 0 }
        let clicks = BargeInRig.clicks(in: heard[first...last])
        // The sound server may insert silence; from the last click on it is too short to matter.
        guard let click = clicks.last else { return Double(last - first + 1) / Double(millisecond) }
        return Double(clicks.count - 1) * 100 + Double(last - click + 1) / Double(millisecond)
    }
}

/// Glasses on a private sound server with a scripted provider.
final class BargeInRig: Sendable {
    private let provider = ScriptedProvider()
    private let glasses: DefaultExtentosGlasses
    private let session: any AssistantSession
    /// An answer of 4 s: a quiet tone with a loud click every 100 ms, at 24 kHz.
    private static let answer: [[UInt8]] = {
        let samples = (0..<96_000).map { frame -> Int16 in
            let tone = 3_000 * sin(2 * .pi * 400 * Double(frame) / 24_000)
            let isClick = frame % 2_400 < 24
            return isClick ? 28_000 : Int16(tone)
        }
        let bytes = PCMBlock(samples: samples, sampleRate: 24_000).littleEndianBytes
        return stride(from: 0, to: bytes.count, by: 9_600).map { Array(bytes[$0..<min($0 + 9_600, bytes.count)]) }
    }()

    init(_ pulse: PrivatePulse) async throws {
        let host = PluginHost()
        let settings: JSONValue = ["microphone": .string(pulse.microphone), "speaker": .string(pulse.speaker)]
        glasses = DefaultExtentosGlasses(
            config: ExtentosConfig(),
            ports: RuntimePorts(
                clock: LiveClock.port,
                loadTransport: { await host.transport(id: "org.extentos.system-device", settings: settings) },
                connector: provider.connector, speech: SpeechEngines(speechToText: { nil }, textToSpeech: { nil }),
                seed: { 7 }))
        if case .failure(let error) = await glasses.connect() { throw error }
        session = try await glasses.assistant.start(provider: .managed()) {
            $0.startActive = true
            $0.greeting = .off
        }
    }

    /// The provider speaks answer number `round`, all at once.
    func answer(_ round: Int) {
        guard let connection = provider.connections.last else { return }
        let (response, item) = ("resp_\(round)", "item_\(round)")
        connection.say(.responseCreated(RealtimeResponse(id: response, status: .inProgress, conversationId: "conv")))
        let message = ConversationItem(
            id: item, status: .inProgress, body: .message(MessageItem(role: .assistant, content: [])))
        connection.say(.responseOutputItemAdded(OutputItem(responseId: response, item: message)))
        connection.say(.conversationItemAdded(ItemPlacement(item: message, previousItemId: nil)))
        let place = PartReference(responseId: response, itemId: item)
        for piece in Self.answer { connection.say(.responseOutputAudioDelta(OutputAudio(place: place, audio: piece))) }
        connection.say(.responseOutputAudioDone(OutputAudioDone(place: place)))
        connection.say(.responseDone(RealtimeResponse(id: response, status: .completed, conversationId: "conv")))
    }

    /// The user speaks: answers the `audio_end_ms` with which the client truncates.
    func interrupt(_ round: Int) async throws -> Int {
        guard let connection = provider.connections.last else { throw CancellationError() }
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

    /// The client did not truncate an answer that was being heard.
    struct NotTruncated: Error { let round: Int }

    func end() async {
        await session.stop()
        await glasses.shutdown()
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

/// A generator with a seed, so that a failing run can be repeated.
struct SeededRandom: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return state
    }
}
