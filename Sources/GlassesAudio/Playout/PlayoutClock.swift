import GlassesDomain

/// The authority on what was heard: counts frames of the loudspeaker, never the wall clock.
///
/// The owner tells every fact as it happens: audio received from the provider, audio taken by the loudspeaker, position
/// reports, flushes. Between two reports the position is extrapolated at the nominal rate, never past what was written,
/// and answers never go backwards, whatever the device reports; only a flush's own answer, read from the device, may
/// correct an extrapolation. All counts are integers; milliseconds are rounded down.
public struct PlayoutClock: Sendable, Hashable {
    /// Segments that are remembered; an answer has one or two, so this covers a long conversation's recent past.
    public static let segmentLimit = 256
    /// Flushes that may wait for their answer; more are counted into the last one.
    static let pendingFlushLimit = 8
    /// How old a report's time may be; a device that claims more does not know, and would make the position jump.
    static let reportAgeLimit: Duration = .seconds(1)

    /// Frames per second of the loudspeaker.
    public let speakerRate: Int
    /// Frames per second of the received audio.
    public let providerRate: Int
    /// Frames that the loudspeaker has taken since it was opened.
    public private(set) var writtenFrames: Int64 = 0

    /// In the order in which they were first mentioned.
    private var segments: [PlayoutSegment] = []
    /// The last accepted report.
    private var anchor: PlaybackPosition?
    /// The highest frame ever reported: heard for certain.
    private var reportedFrame: Int64 = 0
    /// The highest frame ever answered.
    private var answeredFrame: Int64 = 0
    /// Where the flushes end that have not been answered yet, oldest first.
    private var pendingFlushes: [Int64] = []
    /// Reports of frames before this one are older than a flush.
    private var flushedThrough: Int64 = 0

    /// A clock for a loudspeaker that has just been opened.
    /// - Throws: ``AudioFormatError/unsupportedSampleRate(_:)`` for a rate outside ``SampleRates/supported``.
    public init(speakerRate: Int, providerRate: Int) throws(AudioFormatError) {
        try SampleRates.check(speakerRate)
        try SampleRates.check(providerRate)
        self.speakerRate = speakerRate
        self.providerRate = providerRate
    }
}

// MARK: - Facts

extension PlayoutClock {
    /// `frames` frames of a segment came from the provider, at ``providerRate``.
    public mutating func audioReceived(_ id: PlayoutSegmentID, frames: Int) {
        guard frames > 0 else { return }
        segments[index(of: id)].receivedFrames += Int64(frames)
    }

    /// The loudspeaker took `frames` frames; `id` is nil for sound that belongs to no segment, such as a lone ring.
    public mutating func audioWritten(_ id: PlayoutSegmentID?, frames: Int, at now: MonotonicTime) {
        guard frames > 0 else { return }
        let position = frame(at: now)
        if position == writtenFrames, let last = anchor {
            // It had run dry: what is written now cannot have begun before now.
            anchor = PlaybackPosition(frame: position, time: max(now, last.time), isAdvancing: last.isAdvancing)
            answeredFrame = position
        }
        let end = writtenFrames + Int64(frames)
        if let id { segments[index(of: id)].append(writtenFrames..<end) }
        writtenFrames = end
    }

    /// Everything of the segment has been received and written; it is heard in full once its last frame has played.
    public mutating func segmentCompleted(_ id: PlayoutSegmentID) {
        segments[index(of: id)].isComplete = true
    }

    /// The loudspeaker reported its position.
    ///
    /// Ignored: a report that is older than the last one or than a flush, and every report while a flush is not
    /// answered, because it may or may not count the flushed frames.
    public mutating func positionReported(_ report: PlaybackPosition, at now: MonotonicTime) {
        guard pendingFlushes.isEmpty, report.frame >= flushedThrough else { return }
        let time = min(max(report.time, now.advanced(by: .zero - Self.reportAgeLimit)), now)
        if let last = anchor, time < last.time { return }
        answeredFrame = frame(at: now)
        let reported = min(max(report.frame, 0), writtenFrames)
        anchor = PlaybackPosition(frame: reported, time: time, isAdvancing: report.isAdvancing)
        reportedFrame = max(reportedFrame, reported)
        settle(upTo: reportedFrame)
    }

    /// A flush began: what was written so far ends, what is written from now on is kept.
    public mutating func flushBegan() {
        if pendingFlushes.count == Self.pendingFlushLimit { pendingFlushes.removeLast() }
        pendingFlushes.append(writtenFrames)
    }

    /// The oldest flush was answered with the position at which the sound was cut.
    ///
    /// The position jumps over the flushed frames and stands still until the next report. `isRewritten` says that the flushed
    /// frames will be written again, as after a pause: then a segment is not cut by it. Answers the frame at which it was cut.
    @discardableResult
    public mutating func flushCompleted(
        _ cut: PlaybackPosition, at now: MonotonicTime, isRewritten: Bool = false
    ) -> Int64 {
        let end = pendingFlushes.isEmpty ? writtenFrames : pendingFlushes.removeFirst()
        let frame = cutWritten(at: cut.frame, through: end, isRewritten: isRewritten)
        anchor = PlaybackPosition(frame: flushedThrough, time: now, isAdvancing: false)
        return frame
    }

    /// The loudspeaker was opened again and counts its frames from 0; what it had not reported as played was not heard.
    public mutating func speakerReopened() {
        cutWritten(at: reportedFrame, through: writtenFrames)
        pendingFlushes.removeAll()
        anchor = nil
        writtenFrames = 0
        reportedFrame = 0
        answeredFrame = 0
        flushedThrough = 0
    }
}

// MARK: - Answers

extension PlayoutClock {
    /// The frame of the written stream that is leaving the loudspeaker at `now`.
    public func frame(at now: MonotonicTime) -> Int64 {
        let limit = pendingFlushes.first ?? writtenFrames
        guard let anchor else { return min(answeredFrame, limit) }
        let passed = anchor.isAdvancing ? frames(in: anchor.time.duration(to: now)) : 0
        return min(max(answeredFrame, anchor.frame + passed), limit)
    }

    /// How much of the segment has been heard at `now`; nil for one that is not remembered.
    public func status(of id: PlayoutSegmentID, at now: MonotonicTime) -> PlayoutSegmentStatus? {
        segments.last { $0.id == id }.map { status(of: $0, position: frame(at: now)) }
    }

    /// How much of every remembered segment has been heard at `now`, in order; of one answer or of all.
    public func statuses(ofResponse responseID: String? = nil, at now: MonotonicTime) -> [PlayoutSegmentStatus] {
        let position = frame(at: now)
        return segments.filter { responseID == nil || $0.id.responseID == responseID }
            .map { status(of: $0, position: position) }
    }

    /// The segment that is leaving the loudspeaker at `now`; nil when none is.
    public func heardSegment(at now: MonotonicTime) -> PlayoutSegmentID? {
        guard anchor?.isAdvancing == true else { return nil }
        let position = frame(at: now)
        return segments.last { $0.contains(position) }?.id
    }

    /// When everything written will have been heard, or everything written of one answer.
    public func end(ofResponse responseID: String? = nil, at now: MonotonicTime) -> PlayoutEnd {
        let position = frame(at: now)
        let end = responseID.map { id in
            segments.reduce(0) { max($0, $1.id.responseID == id ? $1.endFrame ?? 0 : 0) }
        }
        let remaining = (end ?? writtenFrames) - position
        guard remaining > 0 else { return .played }
        let duration = duration(of: remaining)
        return anchor?.isAdvancing == true ? .expected(now.advanced(by: duration)) : .stopped(remaining: duration)
    }
}

// MARK: - Bookkeeping

extension PlayoutClock {
    private func status(of segment: PlayoutSegment, position: Int64) -> PlayoutSegmentStatus {
        let received = segment.receivedFrames * 1_000 / Int64(providerRate)
        let frames = segment.heardFrames(upTo: position)
        let heard = min(frames * 1_000 / Int64(speakerRate), received)
        let isLacking = segment.wasCut || segment.owedFrames > 0
        let isWhole = segment.isComplete && !isLacking && frames > 0 && frames == segment.writtenFrames
        // Rounding between the two rates must not shorten a segment that was heard in full.
        return PlayoutSegmentStatus(
            id: segment.id, heardMs: isWhole ? received : heard, receivedMs: received,
            progress: isWhole ? .heard : heard > 0 ? .partlyHeard : .unheard)
    }

    private mutating func index(of id: PlayoutSegmentID) -> Int {
        if let known = segments.lastIndex(where: { $0.id == id }) { return known }
        if segments.count == Self.segmentLimit {
            segments.remove(at: segments.firstIndex { $0.isSettled } ?? 0)
        }
        segments.append(PlayoutSegment(id: id))
        return segments.count - 1
    }

    private mutating func settle(upTo position: Int64) {
        for index in segments.indices { segments[index].settle(upTo: position) }
    }

    @discardableResult
    private mutating func cutWritten(at frame: Int64, through boundary: Int64, isRewritten: Bool = false) -> Int64 {
        let cut = min(max(frame, reportedFrame), boundary)
        for index in segments.indices where cut < boundary {
            segments[index].remove(cut..<boundary, isRewritten: isRewritten)
        }
        settle(upTo: boundary)
        reportedFrame = boundary
        answeredFrame = boundary
        flushedThrough = boundary
        return cut
    }

    /// Whole frames that pass in `duration`, rounded down; an hour at most, so that the product cannot overflow.
    private func frames(in duration: Duration) -> Int64 {
        let nanoseconds = min(max(duration, .zero), .seconds(3_600)).wholeNanoseconds
        return nanoseconds * Int64(speakerRate) / 1_000_000_000
    }

    /// How long `frames` frames last, rounded up to the nanosecond, so that they have passed when it is over.
    private func duration(of frames: Int64) -> Duration {
        let rate = Int64(speakerRate)
        let rest = (frames % rate * 1_000_000_000 + rate - 1) / rate
        return .seconds(frames / rate) + .nanoseconds(rest)
    }
}
