import GlassesAudio
import GlassesDomain

/// A short sound over the assistant's voice: a ring, or text spoken by the app.
struct PlaybackSound: Sendable {
    /// The name by which it is cut.
    var name: String
    /// The samples, at ``sampleRate``.
    var samples: [Int16]
    /// Frames per second.
    var sampleRate: Int
    /// Whether the voice is lowered while it sounds.
    var ducks = false
}

/// The bookkeeping of the output: what is written next, and what of it was heard. Not thread-safe; its owner holds a lock.
struct PlaybackMixer {
    /// How far the loudspeaker is kept ahead: longer than any thread stalls, short enough to fade a sound in.
    static let lead: Duration = .milliseconds(300)
    /// Frames of voice that may wait, at the provider's rate: ten minutes, which no answer exceeds.
    static let voiceLimit = 600 * RealtimeAudio.sampleRate
    /// Sounds that may wait: more than a person can tell apart.
    static let soundLimit = 32
    /// How much more has to be heard before it is told again, in milliseconds.
    static let progressStep: Int64 = 100
    /// The gain of the voice under a ducking sound, −12 dB.
    static let duckedGain: Int32 = 64
    private static let fullGain: Int32 = 256

    typealias Ending = @Sendable (Bool) -> Void

    private struct VoiceRun {
        let segment: PlayoutSegmentID
        var samples: [Int16] = []
        var start = 0
        var isComplete = false
        var resampler: Resampler?
        /// Samples at the loudspeaker's rate that wait to be written.
        var ready: [Int16] = []
        var isFlushed = false
    }

    private struct SoundRun {
        let name: String
        let samples: [Int16]
        let ducks: Bool
        let ended: Ending
        var next = 0
        /// The written frame at which ``next`` was last 0, to rewind after a cut; and the frame of its end.
        var placed: [(frame: Int64, index: Int)] = []
        var endFrame: Int64?
    }

    /// The block that was offered to the loudspeaker last.
    private struct Pending {
        var segment: PlayoutSegmentID?
        /// The voice in it, while that is measured.
        var voice: [Int16] = []
        /// How much of each sound is in it.
        var sounds: [Int: Int] = [:]
    }

    /// A block of voice that was written, before it was lowered: a pause takes it back.
    private struct WrittenVoice {
        let segment: PlayoutSegmentID
        let start: Int64
        let samples: ArraySlice<Int16>
        var end: Int64 { start + Int64(samples.count) }
    }

    private let speakerRate: Int
    private var clock: PlayoutClock
    private var voice: [VoiceRun] = []
    private var waitingVoice = 0
    private var sounds: [SoundRun] = []
    /// Cuts under way; nothing is written meanwhile, so that what goes on after a cut follows it.
    private var cuts = 0
    private var pending = Pending()
    private var gain = fullGain
    private var audible: (segment: PlayoutSegmentID, heardMs: Int64)?
    /// Segments that were queued since everything had last been heard.
    private var liveSegments: [PlayoutSegmentID] = []
    private var told: [PlaybackEvent] = []
    /// Written and not known to be heard; never more than the lead.
    private var written: [WrittenVoice] = []
    /// Whether the voice stands still, to go on where it was.
    private var isPaused = false
    private var levels: PlayoutLevels
    private var isMetered = false

    init(speakerRate: Int) throws(AudioFormatError) {
        self.speakerRate = speakerRate
        clock = try PlayoutClock(speakerRate: speakerRate, providerRate: RealtimeAudio.sampleRate)
        levels = PlayoutLevels(speakerRate: speakerRate)
    }
}

// MARK: - What is to be played

extension PlaybackMixer {
    /// False when ten minutes of voice are waiting.
    mutating func appendVoice(_ samples: [Int16], of segment: PlayoutSegmentID) -> Bool {
        guard waitingVoice + samples.count <= Self.voiceLimit else { return false }
        if voice.last?.segment != segment { voice.append(VoiceRun(segment: segment)) }
        voice[voice.count - 1].samples.append(contentsOf: samples)
        waitingVoice += samples.count
        if liveSegments.last != segment { liveSegments.append(segment) }
        clock.audioReceived(segment, frames: samples.count)
        return true
    }

    mutating func completeVoice(_ segment: PlayoutSegmentID) {
        if let index = voice.lastIndex(where: { $0.segment == segment }) {
            voice[index].isComplete = true
        } else {
            clock.segmentCompleted(segment)
        }
    }

    /// False when too many sounds wait or the rate is not supported.
    mutating func append(_ sound: PlaybackSound, ended: @escaping Ending) -> Bool {
        guard sounds.count < Self.soundLimit, !sound.samples.isEmpty else { return false }
        var samples = sound.samples
        if sound.sampleRate != speakerRate {
            do {
                let resampler = try Resampler(inputRate: sound.sampleRate, outputRate: speakerRate)
                samples = resampler.process(samples) + resampler.flush()
            } catch {
                return false
            }
        }
        sounds.append(SoundRun(name: sound.name, samples: samples, ducks: sound.ducks, ended: ended))
        return true
    }
}

// MARK: - Writing

extension PlaybackMixer {
    /// The next block for the loudspeaker, at most 20 ms and `room` frames; nil when it is far enough ahead, when nothing waits, or
    /// while a cut is under way.
    mutating func nextBlock(at now: MonotonicTime, room: Int) -> [Int16]? {
        let ahead = clock.writtenFrames - clock.frame(at: now)
        let lead = Int64(speakerRate) * Self.lead.wholeMilliseconds / 1000
        guard cuts == 0, ahead < lead, room > 0 else { return nil }
        let limit = min(speakerRate / 50, room)
        let (segment, voiceBlock) = nextVoice(limit: limit)
        let soundFrames = sounds.reduce(0) { max($0, min(limit, $1.samples.count - $1.next)) }
        let count = voiceBlock.isEmpty ? soundFrames : voiceBlock.count
        guard count > 0 else { return nil }
        let ducked = sounds.contains { $0.ducks && $0.next < $0.samples.count }
        var block = faded(voiceBlock, count: count, to: ducked ? Self.duckedGain : Self.fullGain)
        let audibleVoice = isMetered && segment != nil ? block : []
        var parts: [Int: Int] = [:]
        for index in sounds.indices where sounds[index].next < sounds[index].samples.count {
            let frames = min(count, sounds[index].samples.count - sounds[index].next)
            for offset in 0..<frames {
                block[offset] = Int16(
                    clamping: Int32(block[offset]) + Int32(sounds[index].samples[sounds[index].next + offset]))
            }
            parts[index] = frames
        }
        pending = Pending(segment: segment, voice: audibleVoice, sounds: parts)
        return block
    }

    /// The loudspeaker took that many frames of the last block.
    mutating func blockWritten(frames: Int, at now: MonotonicTime) {
        let start = clock.writtenFrames
        if let segment = pending.segment {
            let taken = min(frames, voice[0].ready.count)
            written.append(
                WrittenVoice(segment: segment, start: start, samples: Array(voice[0].ready.prefix(taken))[...]))
            voice[0].ready.removeFirst(taken)
            let voice = pending.voice
            levels.add(voice.span.extracting(first: frames), at: start)
            clock.audioWritten(segment, frames: frames, at: now)
        } else {
            clock.audioWritten(nil, frames: frames, at: now)
        }
        for (index, part) in pending.sounds {
            sounds[index].placed.append((start, sounds[index].next))
            sounds[index].next += min(part, frames)
            if sounds[index].next == sounds[index].samples.count {
                sounds[index].endFrame = start + Int64(min(part, frames))
            }
        }
        pending = Pending()
        dropFinishedVoice()
    }

    private mutating func nextVoice(limit: Int) -> (PlayoutSegmentID?, ArraySlice<Int16>) {
        guard !isPaused else { return (nil, []) }
        dropFinishedVoice()
        while !voice.isEmpty {
            fillReady(limit: limit)
            let ready = voice[0].ready.prefix(limit)
            if !ready.isEmpty { return (voice[0].segment, ready) }
            guard voice[0].isFlushed || voice.count > 1 else { break }
            // Flushed and empty, so this drops it, and the next run may begin.
            dropFinishedVoice()
        }
        return (nil, [])
    }

    /// Converts just as much of the first run as the next block needs, so that a long answer waits in its smaller form.
    private mutating func fillReady(limit: Int) {
        while voice[0].ready.count < limit, voice[0].start < voice[0].samples.count {
            let end = min(voice[0].start + RealtimeAudio.sampleRate / 50, voice[0].samples.count)
            let part = Array(voice[0].samples[voice[0].start..<end])
            waitingVoice -= part.count
            voice[0].start = end
            voice[0].ready.append(contentsOf: convert(part))
        }
        if voice[0].start == voice[0].samples.count, voice[0].start > 0 {
            voice[0].samples = []
            voice[0].start = 0
        }
        // A run whose end was never told ends when the next one waits behind it.
        if voice[0].isComplete || voice.count > 1, voice[0].samples.isEmpty, !voice[0].isFlushed {
            voice[0].isFlushed = true
            if let resampler = voice[0].resampler { voice[0].ready.append(contentsOf: resampler.flush()) }
        }
    }

    private mutating func convert(_ samples: [Int16]) -> [Int16] {
        guard speakerRate != RealtimeAudio.sampleRate else { return samples }
        if voice[0].resampler == nil {
            do {
                voice[0].resampler = try Resampler(inputRate: RealtimeAudio.sampleRate, outputRate: speakerRate)
            } catch {
                // The clock has accepted both rates, and it checks them by the same rule.
                return []
            }
        }
        return voice[0].resampler?.process(samples) ?? []
    }

    private mutating func dropFinishedVoice() {
        while let first = voice.first, first.isComplete || voice.count > 1 {
            let isOut = first.samples.isEmpty && first.ready.isEmpty && (first.isFlushed || first.resampler == nil)
            guard isOut else { return }
            clock.segmentCompleted(first.segment)
            voice.removeFirst()
        }
    }

    /// Moves the gain within the block, so that ducking makes no click.
    private mutating func faded(_ samples: ArraySlice<Int16>, count: Int, to target: Int32) -> [Int16] {
        guard !samples.isEmpty else {
            gain = target
            return [Int16](repeating: 0, count: count)
        }
        if gain == Self.fullGain, target == Self.fullGain { return Array(samples) }
        let from = gain
        gain = target
        return samples.enumerated().map { offset, sample in
            let now = from + (target - from) * Int32(offset + 1) / Int32(count)
            return Int16(clamping: Int32(sample) * now / Self.fullGain)
        }
    }
}

// MARK: - Hearing

extension PlaybackMixer {
    /// Follows the loudspeaker; answers the endings of the sounds that have been heard in full.
    mutating func positionReported(_ position: PlaybackPosition, at now: MonotonicTime) -> [Ending] {
        clock.positionReported(position, at: now)
        let frame = clock.frame(at: now)
        // Until a flush is answered, a report may count what it took out.
        if cuts == 0 { written.removeAll { $0.end <= position.frame } }
        for index in sounds.indices {
            // Keep the last entry before the position: the place to rewind to lies in it.
            while sounds[index].placed.count > 1, sounds[index].placed[1].frame <= frame {
                sounds[index].placed.removeFirst()
            }
        }
        var ended: [Ending] = []
        sounds.removeAll { sound in
            guard let end = sound.endFrame, frame >= end else { return false }
            ended.append(sound.ended)
            return true
        }
        return ended
    }

    func heard(ofResponse responseID: String, at now: MonotonicTime) -> [PlayoutSegmentStatus] {
        clock.statuses(ofResponse: responseID, at: now)
    }

    /// Whether the voice that is written from now on is measured.
    mutating func setMetered(_ isMetered: Bool, at now: MonotonicTime) {
        guard isMetered != self.isMetered else { return }
        self.isMetered = isMetered
        if isMetered { levels.begin(written: clock.writtenFrames, heard: clock.frame(at: now)) }
    }

    /// How loud the voice was that was heard since the last call, 0…1; nil where it was not measured.
    mutating func takeLevel(at now: MonotonicTime) -> Float? {
        isMetered ? levels.take(heardThrough: clock.frame(at: now)) : nil
    }

    /// What became audible or ended since the last call.
    mutating func takeEvents(at now: MonotonicTime) -> [PlaybackEvent] {
        followAudible(at: now, step: Self.progressStep)
        if !liveSegments.isEmpty, cuts == 0, isVoiceOut, clock.end(at: now) == .played {
            audible = nil
            liveSegments = []
            told.append(.drained)
        }
        defer { told = [] }
        return told
    }

    /// Whether voice was queued of which not everything has been heard.
    var isVoiceLive: Bool { !liveSegments.isEmpty }

    private var isVoiceOut: Bool { voice.allSatisfy { $0.samples.isEmpty && $0.ready.isEmpty } }

    /// Tells what became audible, and of that what is more than was told by `step` milliseconds.
    private mutating func followAudible(at now: MonotonicTime, step: Int64) {
        let heard = clock.heardSegment(at: now)
        if let audible, heard != audible.segment { tellProgress(of: audible.segment, at: now, step: 1) }
        guard let heard else { return }
        if heard != audible?.segment {
            audible = (heard, 0)
            told.append(.started(heard))
        }
        tellProgress(of: heard, at: now, step: step)
    }

    private mutating func tellProgress(of segment: PlayoutSegmentID, at now: MonotonicTime, step: Int64) {
        guard let status = clock.status(of: segment, at: now) else { return }
        let last = audible?.heardMs ?? 0
        let isDone = status.progress == .heard && status.heardMs > last
        guard isDone || status.heardMs >= last + step else { return }
        audible = (segment, status.heardMs)
        told.append(.progressed(segment, heardMs: status.heardMs))
    }
}

// MARK: - Cutting

extension PlaybackMixer {
    /// Drops the queued voice; nothing is written until ``endCut(at:now:)``.
    mutating func beginVoiceCut() {
        voice = []
        written = []
        isPaused = false
        waitingVoice = 0
        begin()
    }

    /// The voice stands still where it is: true when the loudspeaker has to be flushed for that, and nothing is written until
    /// ``endPause(at:now:)``.
    mutating func beginPause() -> Bool {
        guard !isPaused else { return false }
        isPaused = true
        guard !written.isEmpty else { return false }
        begin()
        return true
    }

    /// Follows the loudspeaker's answer: what of the voice was not heard is played when it goes on.
    mutating func endPause(at position: PlaybackPosition, now: MonotonicTime) {
        let cut = clock.flushCompleted(position, at: now, isRewritten: true)
        levels.skip(to: clock.frame(at: now))
        cuts = max(0, cuts - 1)
        for block in written.reversed() where block.end > cut {
            takeBack(block.samples.dropFirst(Int(max(0, cut - block.start))), of: block.segment)
        }
        written = []
        for index in sounds.indices { rewind(&sounds[index], to: position.frame) }
    }

    private mutating func takeBack(_ samples: ArraySlice<Int16>, of segment: PlayoutSegmentID) {
        if voice.first?.segment != segment {
            var run = VoiceRun(segment: segment)
            run.isComplete = true
            run.isFlushed = true
            voice.insert(run, at: 0)
        }
        voice[0].ready.insert(contentsOf: samples, at: 0)
    }

    /// The voice goes on where it was heard last, and fades in, so that it makes no click.
    mutating func resume() {
        guard isPaused else { return }
        isPaused = false
        gain = 0
    }

    /// Drops the sounds with this name. While the voice plays, up to 300 ms of them that are already mixed with it are heard; else
    /// `needsFlush` says that the loudspeaker is to be flushed, and nothing is written until ``endCut(at:now:)``.
    mutating func cut(soundsNamed name: String) -> (ended: [Ending], needsFlush: Bool) {
        var ended: [Ending] = []
        sounds.removeAll { sound in
            guard sound.name == name else { return false }
            ended.append(sound.ended)
            return true
        }
        let needsFlush = !ended.isEmpty && liveSegments.isEmpty
        if needsFlush { begin() }
        return (ended, needsFlush)
    }

    private mutating func begin() {
        cuts += 1
        pending = Pending()
        clock.flushBegan()
    }

    /// Follows the loudspeaker's answer: sounds that were not cut go on from where they were heard. Answers how much was heard of
    /// each segment that was queued since everything had last been heard.
    mutating func endCut(at position: PlaybackPosition, now: MonotonicTime) -> [PlayoutSegmentStatus] {
        clock.flushCompleted(position, at: now)
        levels.skip(to: clock.frame(at: now))
        cuts = max(0, cuts - 1)
        let heard = liveSegments.compactMap { clock.status(of: $0, at: now) }
        audible = nil
        liveSegments = voice.map(\.segment)
        for index in sounds.indices { rewind(&sounds[index], to: position.frame) }
        return heard
    }

    private func rewind(_ sound: inout SoundRun, to frame: Int64) {
        guard let last = sound.placed.last(where: { $0.frame <= frame }) ?? sound.placed.first else { return }
        sound.next = min(sound.next, last.index + Int(max(0, frame - last.frame)))
        sound.placed = []
        sound.endFrame = nil
    }

    /// The loudspeaker is closed: answers the endings of all sounds, and what was heard last and not told yet.
    mutating func close(at now: MonotonicTime) -> (ended: [Ending], told: [PlaybackEvent]) {
        followAudible(at: now, step: 1)
        let ended = sounds.map(\.ended)
        sounds = []
        voice = []
        waitingVoice = 0
        audible = nil
        // A cut under way still answers how much was heard.
        if cuts == 0 { liveSegments = [] }
        defer { told = [] }
        return (ended, told)
    }
}
