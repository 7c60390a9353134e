import Foundation
import GlassesCore

/// One round as it happened: what was played and heard on one timeline.
struct MeterRound: Sendable {
    /// What was played, as long as ``recorded``; silence where nothing was.
    let played: [Int16]
    /// What the microphone heard.
    let recorded: [Int16]
    /// The same for the judge; nil when the round cannot be judged.
    let take: Result<MeterTake, MeterRefusal>
    /// How far the device's times disagree, in milliseconds; nil without times.
    let clockSpread: Double?

    /// Something that was played: its samples at the microphone's rate and its first frame in the loudspeaker's stream.
    struct Played: Sendable {
        let speech: MeterSpeech
        let start: Int64
    }

    /// A loudspeaker whose positions disagree by more than this, in milliseconds, stuttered.
    private static let largestSpread = 15.0

    init(
        capture: CaptureTrack, positions: [ClockFit.Mark], speakerRate: Int, question: Played?,
        interruption: Played?, noise: Float, refusal: MeterRefusal?
    ) {
        recorded = capture.samples
        let leavings = [question, interruption].map { $0.flatMap { Self.leaving($0, positions, speakerRate) } }
        // Before the question the times of the microphone may still have been settling.
        let marks = capture.marks.filter { mark in leavings[0].map { mark.time >= $0.time } ?? true }
        let fit = ClockFit(marks, sampleRate: capture.sampleRate)
        let places = leavings.map { leaving in
            leaving.flatMap { leaving in fit.map { Self.place(leaving, $0, capture.sampleRate) } }
        }
        var track = [Int16](repeating: 0, count: recorded.count)
        for (played, place) in zip([question, interruption], places) {
            guard let played, let place else { continue }
            for (index, sample) in zip(place.start..., played.speech.forRecording) where track.indices.contains(index) {
                track[index] = sample
            }
        }
        played = track
        let spreads = places.compactMap { $0?.spread }
        clockSpread = spreads.max().flatMap { speaker in fit.map { speaker + $0.spread } }
        take = Self.take(
            track, capture, question: question, interruption: interruption, places, noise: noise, refusal: refusal)
    }

    private static func take(
        _ track: [Int16], _ capture: CaptureTrack, question: Played?, interruption: Played?,
        _ places: [(start: Int, spread: Double)?], noise: Float, refusal: MeterRefusal?
    ) -> Result<MeterTake, MeterRefusal> {
        if let refusal { return .failure(refusal) }
        if capture.hasGap { return .failure(.recordingGap) }
        guard let question, let asked = places[0], asked.spread <= largestSpread else { return .failure(.playbackGap) }
        let block = capture.sampleRate / 1_000
        let range = { (place: (start: Int, spread: Double), played: Played) in
            place.start / block..<place.start / block + played.speech.milliseconds + 1
        }
        var take = MeterTake(
            played: SoundPeaks.peaks(of: track, sampleRate: capture.sampleRate),
            recorded: SoundPeaks.peaks(of: capture.samples, sampleRate: capture.sampleRate), noise: noise,
            question: range(asked, question))
        if let interruption {
            guard let place = places[1], place.spread <= largestSpread else { return .failure(.playbackGap) }
            take.interruption = range(place, interruption)
        }
        return .success(take)
    }

    /// When the first frame of a line left the loudspeaker; nil when the device told no times while it was played.
    private static func leaving(
        _ played: Played, _ positions: [ClockFit.Mark], _ rate: Int
    ) -> (time: MonotonicTime, spread: Double)? {
        let end = played.start + Int64(played.speech.forSpeaker.count)
        // At its first frame the device may still be playing silence.
        let marks = positions.filter { $0.frame > played.start && $0.frame < end }
        guard marks.count >= 3, let fit = ClockFit(marks, sampleRate: rate) else { return nil }
        return (MonotonicTime(nanoseconds: fit.origin + played.start * 1_000_000_000 / Int64(rate)), fit.spread)
    }

    /// Where in the recording that was.
    private static func place(
        _ leaving: (time: MonotonicTime, spread: Double), _ capture: ClockFit, _ rate: Int
    ) -> (start: Int, spread: Double) {
        let seconds = Double(leaving.time.nanoseconds - capture.origin) / 1e9
        return (Int((seconds * Double(rate)).rounded()), leaving.spread)
    }
}
