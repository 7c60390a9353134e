import Foundation
import GlassesDomain
import GlassesRealtime
import GlassesTesting
import Synchronization
import Testing

@testable import GlassesRuntime

@Suite struct UplinkTests {
    /// A voice for a test: a tone that swells and fades four times a second over a little noise.
    private static func voice(milliseconds: Int) -> [Int16] {
        (0..<milliseconds * 24).map { index in
            let time = Double(index) / 24_000
            let swell = max(0, sin(time * 2 * .pi * 4))
            return Int16(9_000 * swell * sin(time * 2 * .pi * 500)) + Int16(index % 7)
        }
    }

    private static func quiet(milliseconds: Int) -> [Int16] { (0..<milliseconds * 24).map { Int16($0 % 7) } }

    private static func feed(_ samples: [Int16], to uplink: Uplink) {
        for start in stride(from: 0, to: samples.count, by: 480) {
            uplink.send(Array(samples[start..<min(start + 480, samples.count)]))
        }
    }

    private static func uplink(_ connection: FakeConnection) -> Uplink {
        let uplink = Uplink()
        uplink.beginCapture()
        uplink.start(connection)
        return uplink
    }

    @Test(arguments: 0..<20) func aBlockIsWrittenAsTheCodecWritesIt(length: Int) {
        let samples = (0..<length).map { Int16(truncatingIfNeeded: $0 &* 25_173 &+ 13_849) }
        let bytes = PCMBlock(samples: samples, sampleRate: 24_000).littleEndianBytes
        let general = RealtimeCodec.encode(ClientEvent.inputAudioBufferAppend(audio: bytes))
        #expect(RealtimeCodec.inputAudioAppend(samples: samples[...]) == general)
    }

    @Test func nothingIsSentBeforeTheUplinkStartsOrAfterItStops() {
        let (connection, uplink) = (FakeConnection(), Uplink())
        uplink.send(Self.quiet(milliseconds: 20))
        uplink.beginCapture()
        uplink.send(Self.quiet(milliseconds: 20))
        #expect(connection.frames == 0)
        uplink.start(connection)
        uplink.send(Self.quiet(milliseconds: 20))
        uplink.stop()
        uplink.send(Self.quiet(milliseconds: 20))
        #expect(connection.frames == 480)
        #expect(uplink.counts.sent == 480)
    }

    @Test func theUtteranceUnderWayIsSentAgainAndTheLiveAudioFollowsItWithoutAGap() {
        let (first, second) = (FakeConnection(), FakeConnection())
        let uplink = Self.uplink(first)
        let speech = Self.voice(milliseconds: 3_000)
        Self.feed(Array(speech[..<24_000]), to: uplink)
        uplink.keepUtterance(startMs: 200)
        Self.feed(Array(speech[24_000..<36_000]), to: uplink)
        uplink.stop()
        Self.feed(Array(speech[36_000..<60_000]), to: uplink)
        #expect(uplink.start(second, resending: true) == 0)
        Self.feed(Array(speech[60_000...]), to: uplink)
        #expect(second.samples == Array(speech[4_800...]))
    }

    @Test func silenceOfAGapIsDroppedAndCounted() {
        let (first, second) = (FakeConnection(), FakeConnection())
        let uplink = Self.uplink(first)
        uplink.setListener { _ in Issue.record("nobody speaks") }
        Self.feed(Self.quiet(milliseconds: 3_000), to: uplink)
        uplink.stop()
        Self.feed(Self.quiet(milliseconds: 2_000), to: uplink)
        #expect(uplink.start(second) == 48_000)
        #expect(second.frames == 0)
        #expect(uplink.counts == Uplink.Counts(sent: 72_000, refused: 0, dropped: 48_000))
    }

    /// The provider's word of speech was still under way, or the speech began after the loss.
    @Test(arguments: [-200, 300]) func speechThatBeginsAroundTheLossIsNoticedAndSentWhole(start: Int) {
        let (first, second) = (FakeConnection(), FakeConnection())
        let uplink = Self.uplink(first)
        let notices = Mutex(0)
        uplink.setListener { notice in
            guard case .speech = notice else { return }
            notices.withLock { $0 += 1 }
        }
        Self.feed(Self.quiet(milliseconds: 3_000), to: uplink)
        let speech = Self.voice(milliseconds: 1_500)
        let before = max(0, -start) * 24
        Self.feed(Array(speech[..<before]), to: uplink)
        uplink.stop()
        Self.feed(Self.quiet(milliseconds: max(0, start)), to: uplink)
        Self.feed(Array(speech[before...]), to: uplink)
        #expect(notices.withLock { $0 } == 1)
        uplink.keepUtterance(startMs: nil)
        uplink.start(second, resending: true)
        #expect(second.frames >= speech.count)
        #expect(Array(second.samples.suffix(speech.count)) == speech)
        #expect(second.frames <= speech.count + 24 * 500, "no more than the padding before it")
    }

    // MARK: - A connection that is dead without anybody knowing

    /// Speaks after a quiet second, lets time pass in which the provider says something or not, and loses the connection.
    private static func speakIntoNothing(
        _ speech: [Int16], silence: Int, hearsWordAfter word: Int? = nil
    ) -> (uplink: Uplink, notices: Int) {
        let uplink = Self.uplink(FakeConnection())
        let notices = Mutex(0)
        uplink.setListener { if case .speech = $0 { notices.withLock { $0 += 1 } } }
        feed(quiet(milliseconds: 1_000) + speech, to: uplink)
        feed(quiet(milliseconds: word ?? silence), to: uplink)
        if let word {
            uplink.providerSpoke()
            feed(quiet(milliseconds: silence - word), to: uplink)
        }
        uplink.stop()
        feed(quiet(milliseconds: 100), to: uplink)
        return (uplink, notices.withLock { $0 })
    }

    @Test(arguments: [0, 4_000, 40_000]) func whatWasSaidIntoADeadConnectionIsSentAgain(silence: Int) {
        let speech = Self.voice(milliseconds: 1_500)
        let (uplink, notices) = Self.speakIntoNothing(speech, silence: silence)
        #expect(notices == 1)
        uplink.keepUtterance(startMs: nil)
        Self.feed(Self.quiet(milliseconds: 3_000), to: uplink)
        let second = FakeConnection()
        uplink.start(second, resending: true)
        // The tone's first quarter of a period is no louder than the silence.
        #expect(second.samples.firstRange(of: speech[2_400...]) != nil)
        #expect(
            second.frames >= (1_500 + silence + 3_000) * 24, "the pause after it, and what came while nobody listened")
    }

    @Test func aProviderThatSaysSomethingLongAfterASoundHasFoundNothingInIt() {
        #expect(
            Self.speakIntoNothing(Self.voice(milliseconds: 500), silence: 15_000, hearsWordAfter: 10_000).notices == 0)
        #expect(
            Self.speakIntoNothing(Self.voice(milliseconds: 500), silence: 15_000, hearsWordAfter: 1_000).notices == 1)
    }

    @Test func aSoundIsNotHeldForEver() {
        #expect(Self.speakIntoNothing(Self.voice(milliseconds: 500), silence: 50_000).notices == 0)
    }

    @Test func whatTheProviderToldOfIsNotHeldBesides() {
        let uplink = Self.uplink(FakeConnection())
        uplink.setListener { _ in Issue.record("it was told of") }
        Self.feed(Self.quiet(milliseconds: 1_000) + Self.voice(milliseconds: 1_000), to: uplink)
        uplink.keepUtterance(startMs: 900)
        Self.feed(Self.quiet(milliseconds: 600), to: uplink)
        uplink.commitUtterance("u1", endMs: 2_500)
        Self.feed(Self.quiet(milliseconds: 6_000), to: uplink)
        uplink.stop()
        Self.feed(Self.quiet(milliseconds: 100), to: uplink)
        #expect(uplink.audio(of: "u1")?.count == 24 * 1_600)
    }

    @Test func aConnectionThatRefusesGetsNoMoreAndIsToldOnce() {
        let connection = FakeConnection()
        let uplink = Self.uplink(connection)
        let refusals = Mutex(0)
        uplink.setListener { if case .refused = $0 { refusals.withLock { $0 += 1 } } }
        connection.refuse()
        Self.feed(Self.quiet(milliseconds: 100), to: uplink)
        #expect(refusals.withLock { $0 } == 1)
        #expect(uplink.counts.refused == 480)
    }

    @Test func whatWasHeardIsForgottenWhenTheMicrophoneCloses() {
        let (first, second) = (FakeConnection(), FakeConnection())
        let uplink = Self.uplink(first)
        Self.feed(Self.voice(milliseconds: 1_000), to: uplink)
        uplink.keepUtterance(startMs: 0)
        uplink.endCapture()
        Self.feed(Self.voice(milliseconds: 1_000), to: uplink)
        uplink.beginCapture()
        uplink.start(second, resending: true)
        #expect(second.frames == 0)
    }

    // MARK: - The gate

    @Test func silenceIsLeftOutAndNoWordIsCut() {
        let connection = FakeConnection()
        let uplink = Uplink(gateHangoverMs: 1_000)
        uplink.beginCapture()
        uplink.start(connection)
        Self.feed(Self.quiet(milliseconds: 3_000), to: uplink)
        #expect(connection.frames == 0)
        let speech = Self.voice(milliseconds: 1_000)
        Self.feed(speech + Self.quiet(milliseconds: 4_000), to: uplink)
        let sent = connection.samples
        // 300 ms before it, and 1 s after it.
        #expect((2_150...2_500).contains(sent.count / 24), "\(sent.count / 24) ms")
        #expect(sent.firstRange(of: speech[2_400..<21_600]) != nil)
        #expect(uplink.counts.leftOut + sent.count >= 24 * 8_000)
    }

    @Test func whatTheProviderTellsOfPlacesIsUnderstoodOverLeftOutSilence() {
        let connection = FakeConnection()
        let uplink = Uplink(gateHangoverMs: 600)
        uplink.beginCapture()
        uplink.start(connection)
        Self.feed(Self.quiet(milliseconds: 2_000) + Self.voice(milliseconds: 600), to: uplink)
        Self.feed(Self.quiet(milliseconds: 5_000), to: uplink)
        let before = connection.frames
        let speech = Self.voice(milliseconds: 800)
        Self.feed(speech, to: uplink)
        // The second utterance begins 300 ms after the pre-roll's first sample, in what the provider got.
        uplink.keepUtterance(startMs: before / 24 + 100)
        Self.feed(Self.quiet(milliseconds: 400), to: uplink)
        uplink.commitUtterance("u2", endMs: before / 24 + 300 + 800)
        let kept = uplink.audio(of: "u2") ?? []
        #expect((900...1_050).contains(kept.count / 24), "\(kept.count / 24) ms")
        #expect(kept.firstRange(of: speech[4_800..<14_400]) != nil)
    }

    @Test func anUtteranceOfTheProvidersIsSentToItsEndHoweverSoft() {
        let connection = FakeConnection()
        let uplink = Uplink(gateHangoverMs: 600)
        uplink.beginCapture()
        uplink.start(connection)
        Self.feed(Self.quiet(milliseconds: 1_000) + Self.voice(milliseconds: 400), to: uplink)
        uplink.keepUtterance(startMs: 0)
        let before = connection.frames
        Self.feed(Self.quiet(milliseconds: 3_000), to: uplink)
        #expect(connection.frames - before == 72_000)
        uplink.commitUtterance("u1", endMs: nil)
        let committed = connection.frames
        Self.feed(Self.quiet(milliseconds: 3_000), to: uplink)
        #expect(connection.frames == committed)
    }
}

private final class FakeConnection: RealtimeConnection {
    let inbound = AsyncStream<RealtimeInbound> { $0.finish() }
    private let storage = Mutex<(samples: [Int16], isRefusing: Bool)>(([], false))

    var samples: [Int16] { storage.withLock { $0.samples } }
    var frames: Int { samples.count }

    func refuse() { storage.withLock { $0.isRefusing = true } }

    func send(_ message: RealtimeMessage, lane: UplinkLane) -> UplinkOutcome {
        guard case .text(let bytes) = message else { return .refused }
        do {
            guard case .inputAudioBufferAppend(let audio) = try RealtimeCodec.decodeClientEvent(bytes).event else {
                return .refused
            }
            return storage.withLock { storage in
                guard !storage.isRefusing else { return .refused }
                storage.samples += PCMBlock.samples(littleEndian: audio)
                return .accepted
            }
        } catch {
            return .refused
        }
    }

    func close(code: UInt16, reason: String) {}
}
