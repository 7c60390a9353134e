import GlassesAssistant
import GlassesAudio
import GlassesDomain
import GlassesRealtime

/// The voice: received audio on its way to the playout queue.
extension SessionDriver {
    func start(_ action: PlaybackAction) {
        switch action {
        case .playReceivedAudio(let segment):
            guard let received, received.segment == segment else { return }
            playing.insert(segment)
            if !ports.output.play(received.samples, of: PlayoutSegmentID(segment)) {
                ports.events.log(.warn, "playback.refused", ["samples": .int(Int64(received.samples.count))])
                // Nothing will report the end of audio that is not played, and the turn must end.
                post(.playbackDrained)
            }
        case .flush(let id):
            playing = []
            let cut = ports.output.cutVoice()
            Task(executorPreference: RuntimeThreads.shared) { [weak self] in
                let heard = await cut.value
                self?.post(.flushCompleted(id, heard: heard.map(HeardPosition.init)))
            }
        case .pause: ports.output.pauseVoice()
        case .resume: ports.output.resumeVoice()
        }
    }

    func receive(_ audio: OutputAudio, on id: ConnectionID) {
        let segment = ServerFacts(connection: id).segment(audio.place)
        audioSource = id
        // A delta may end in the middle of a sample, whose other half comes with the next one.
        var bytes = splitSamples.removeValue(forKey: segment).map { [$0] + audio.audio } ?? audio.audio
        if bytes.count % 2 == 1 { splitSamples[segment] = bytes.removeLast() }
        let samples = PCMBlock.samples(littleEndian: bytes)
        received = (segment, samples)
        apply(.server(id, .answerAudioReceived(segment, frames: samples.count)))
    }

    func audioDone(_ segment: SegmentID) {
        splitSamples.removeValue(forKey: segment)
        if playing.remove(segment) != nil { ports.output.complete(PlayoutSegmentID(segment)) }
    }

    /// Completes segments of which no more will come, though their end was not told.
    func endAudio(where isOver: (SegmentID) -> Bool) {
        for segment in playing.filter(isOver) { audioDone(segment) }
    }
}

extension PlayoutSegmentID {
    fileprivate init(_ segment: SegmentID) {
        self.init(responseID: segment.responseID, itemID: segment.itemID, contentIndex: segment.contentIndex)
    }
}

extension SegmentID {
    init(_ id: PlayoutSegmentID) {
        self.init(responseID: id.responseID, itemID: id.itemID, contentIndex: id.contentIndex)
    }
}

extension HeardPosition {
    fileprivate init(_ status: PlayoutSegmentStatus) {
        self.init(segment: SegmentID(status.id), milliseconds: Int(status.heardMs))
    }
}
