import GlassesDomain

/// The sound of a clip: puts it in line with the pictures, codes it, and keeps it until its fragment is written.
final class ClipSound {
    /// A packet that waits, with its beginning in the track's units.
    private struct Packet {
        var start: Int
        var sample: MP4Sample
    }

    /// A silence longer than this is not coded, but left out of the track: 10 s, for which nobody waits at a microphone.
    private static let longestCodedSilence = 10

    var track: MP4SoundTrack { coder.track }
    private let coder: any SoundCoder
    private let rate: Int
    private var timeline: SoundTimeline
    private var packets: [Packet] = []
    /// Where the next packet begins, in the track's units.
    private var position = 0

    /// Sound of `rate` samples a second, coded as the brand of the file wants it.
    init(rate: Int, brand: MP4Brand) throws(MediaError) {
        self.rate = rate
        coder = brand == .mp4 ? try OpusSoundCoder(rate: rate) : try PCMSoundCoder(rate: rate)
        timeline = SoundTimeline(rate: rate)
    }

    /// Adds a piece that was heard `nanoseconds` after the first picture.
    func add(_ samples: [Int16], at nanoseconds: Int64) throws(MediaError) {
        let step = timeline.add(samples.count, at: nanoseconds)
        try addSilence(step.silence)
        if !step.part.isEmpty { try keep(coder.add(Array(samples[step.part]))) }
    }

    /// Fills up to a moment with silence: what was heard before it has come, or never will.
    func pad(to nanoseconds: Int64) throws(MediaError) { try addSilence(timeline.pad(to: nanoseconds)) }

    /// Ends the sound at a moment.
    func finish(at nanoseconds: Int64) throws(MediaError) {
        try pad(to: nanoseconds)
        try keep(coder.finish())
        var preSkip = 0
        if case .opus(let samples, _) = track.coding { preSkip = samples }
        let end = preSkip + units(in: nanoseconds)
        packets.removeAll { $0.start >= end }
        guard var last = packets.popLast() else { return }
        let duration = min(last.sample.duration, end - last.start)
        if case .pcm = track.coding { last.sample.bytes.removeLast((last.sample.duration - duration) * 2) }
        last.sample.duration = duration
        packets.append(last)
    }

    /// Takes the packets that begin before a moment, or with nil all of them, in runs without gaps.
    func takeRuns(before nanoseconds: Int64?) -> [MP4Fragment.Run] {
        let end = nanoseconds.map(units(in:))
        let count = packets.prefix { packet in end.map { packet.start < $0 } ?? true }.count
        var runs: [MP4Fragment.Run] = []
        var next: Int?
        for packet in packets.prefix(count) {
            if packet.start == next {
                runs[runs.count - 1].samples.append(packet.sample)
            } else {
                runs.append(
                    MP4Fragment.Run(track: MP4SoundTrack.identifier, start: packet.start, samples: [packet.sample]))
            }
            next = packet.start + packet.sample.duration
        }
        packets.removeFirst(count)
        return runs
    }

    private func units(in nanoseconds: Int64) -> Int { Int((Double(nanoseconds) * Double(track.rate) / 1e9).rounded()) }

    private func addSilence(_ count: Int) throws(MediaError) {
        var count = count
        if count > Self.longestCodedSilence * rate {
            // A second before and after the hole is coded, so that nothing of the sound beside it is touched.
            let seconds = count / rate - 2
            try keep(coder.add([Int16](repeating: 0, count: rate)))
            position += seconds * track.rate
            count -= (seconds + 1) * rate
        }
        if count > 0 { try keep(coder.add([Int16](repeating: 0, count: count))) }
    }

    private func keep(_ samples: [MP4Sample]) {
        for sample in samples {
            packets.append(Packet(start: position, sample: sample))
            position += sample.duration
        }
    }
}
