import MWDATCore

/// What a stream's machine orders. Everything here only enqueues, since it runs under the stream's lock.
extension StreamDriver {
    /// Does it; answers with what it brings at once.
    func perform(
        _ action: StreamStateMachine.Action, _ payload: Payload, _ record: inout Record
    ) -> StreamStateMachine.Input? {
        switch action {
        case .publishState(let state): publish(state, &record)
        case .publishDelivery(let delivery): outlets.deliveries.publish(delivery)
        case .publishFailure(let failure): outlets.publish(failure)
        case .acquireCamera: return record.source?.acquire(for: self) ?? .cameraRefused(StreamBounds.cameraGone)
        case .releaseCamera: record.source?.release()
        case .startRun(let run): start(run, &record)
        case .stopRun(let run): record.source?.send { .stopStream($0, run) }
        case .holdRun(let run, let isHeld): record.source?.send { .holdStream($0, run, held: isHeld) }
        case .requestKeyFrame(let run): record.source?.send { .requestKeyFrame($0, run) }
        case .capturePhoto(let request, let format): record.source?.send { .capturePhoto($0, request, format) }
        case .deliverPicture(let time): return deliver(payload, at: CMTime(nanoseconds: time), &record)
        case .discardPicture: record.statistics.discarded += 1
        case .deliverSound(let time): deliverSound(payload, at: CMTime(nanoseconds: time))
        case .deliverPhoto(let request): deliverPhoto(request, payload, &record)
        case .failPhoto(let request, let reason): endPhoto(request, .failure(reason), &record)
        }
        return nil
    }

    private func publish(_ state: StreamState, _ record: inout Record) {
        if state == .starting { record.format = nil }
        outlets.publish(state)
    }

    private func start(_ run: LinkStream, _ record: inout Record) {
        let size = configuration.resolution.videoFrameSize
        let request = LinkStreamRequest(
            coding: configuration.videoCodec.onLink, width: Int(size.width), height: Int(size.height),
            framesPerSecond: Int(configuration.frameRate), hasAudio: configuration.audioCodec != nil)
        record.source?.send { .startStream($0, run, request) }
    }

    private func deliver(_ payload: Payload, at time: CMTime, _ record: inout Record) -> StreamStateMachine.Input? {
        guard case .picture(let frame, let format) = payload, let sample = frame.sample(at: time, format) else {
            return nil
        }
        record.format = format
        record.statistics.delivered += 1
        return outlets.frames.announce(VideoFrame(sampleBuffer: sample)) ? .pictureMissed : nil
    }

    private func deliverSound(_ payload: Payload, at time: CMTime) {
        guard case .sound(let sound) = payload else { return }
        outlets.sounds.announce(
            AudioFrame(data: sound.bytes, sampleRate: sound.sampleRate, presentationTimeStamp: time))
    }

    private func deliverPhoto(_ request: LinkRequest, _ payload: Payload, _ record: inout Record) {
        guard case .photo(let photo) = payload else { return }
        let data = PhotoData(data: photo.bytes, format: PhotoCaptureFormat(photo.format))
        outlets.photos.announce(data)
        endPhoto(request, .success(data), &record)
    }

    private func endPhoto(_ request: LinkRequest, _ outcome: PhotoOutcome, _ record: inout Record) {
        guard let waiter = record.photoWaiters.removeValue(forKey: request) else { return }
        record.replies.append { waiter.resume(returning: outcome) }
    }
}
