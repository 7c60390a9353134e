import GlassesDomain
import MWDATCore

extension MockWorld {
    mutating func startStream(_ key: MockSessionKey, _ number: LinkStream, _ request: LinkStreamRequest) {
        guard let session = sessions[key], let glasses = find(session.device) else {
            return deliver(key.client, .streamEnded(key.session, number, .sessionClosed))
        }
        if let refusal = streamRefusal(of: session) {
            return deliver(key.client, .streamEnded(key.session, number, refusal))
        }
        let rung = BandwidthLadder.Rung(
            width: request.width, height: request.height, framesPerSecond: request.framesPerSecond)
        sessions[key]?.stream = SimulatedStream(
            number: number, request: request, ladder: BandwidthLadder(requested: rung))
        deliver(key.client, .streamStarted(key.session, number))
        if session.pause != nil { deliver(key.client, .streamPaused(key.session, number)) }
        actions.append(
            .startFeed(
                MockStreamKey(session: key, stream: number),
                MockFeedPlan(source: glasses.feed, coding: request.coding, rung: rung)))
    }

    private func streamRefusal(of session: SimulatedSession) -> Refusal? {
        if session.stream != nil { return .cameraInUse }
        if statuses[.camera] != .granted { return .permissionDenied }
        if let glasses = find(session.device), glasses.thermal == .critical { return .tooHot }
        return nil
    }

    func stream(_ key: MockStreamKey) -> SimulatedStream? {
        guard let stream = sessions[key.session]?.stream, stream.number == key.stream else { return nil }
        return stream
    }

    mutating func endStream(of key: MockSessionKey, _ reason: Refusal?) {
        guard let stream = sessions[key]?.stream else { return }
        sessions[key]?.stream = nil
        actions.append(.stopFeed(MockStreamKey(session: key, stream: stream.number)))
        deliver(key.client, .streamEnded(key.session, stream.number, reason))
    }

    mutating func hold(_ key: MockSessionKey, _ number: LinkStream, _ held: Bool) {
        guard let session = sessions[key], let stream = session.stream, stream.number == number,
            stream.isHeld != held
        else { return }
        sessions[key]?.stream?.isHeld = held
        guard session.pause == nil else { return }
        sessions[key]?.stream?.queue.clear()
        deliver(key.client, held ? .streamPaused(key.session, number) : .streamResumed(key.session, number))
    }

    // MARK: Pictures

    mutating func pictured(_ key: MockStreamKey, _ frame: LinkFrame, at now: MonotonicTime) {
        guard var stream = stream(key), let session = sessions[key.session] else { return }
        if faults.runsOutOfMemory { return endStream(of: key.session, .outOfMemory) }
        guard session.pause == nil, !stream.isHeld else {
            // What is said meanwhile is not sent later.
            sessions[key.session]?.stream?.soundEnd = frame.time
            return
        }
        if let rung = stream.ladder.decide(linkRate: faults.linkRate, at: now), let glasses = find(session.device) {
            let plan = MockFeedPlan(source: glasses.feed, coding: stream.request.coding, rung: rung)
            actions.append(.changeFeed(key, plan))
        }
        // Pictures wait while a photo is taken.
        let isSent = !faults.stopsFrames && session.photo == nil && !stream.lacksKeyFrame
        let arrived = isSent ? stream.queue.push(frame, rate: faults.linkRate, at: now) : []
        let sound = stream.request.hasAudio ? TestTone.block(from: stream.soundEnd, to: frame.time) : nil
        stream.soundEnd = max(stream.soundEnd, frame.time)
        sessions[key.session]?.stream = stream
        deliver(arrived, key)
        if let sound { deliver(key.session.client, .audio(key.session.session, key.stream, sound)) }
    }

    mutating func deliverArrivals(_ key: MockSessionKey, at now: MonotonicTime) {
        guard var stream = sessions[key]?.stream else { return }
        let arrived = stream.queue.arrivals(rate: faults.linkRate, at: now)
        sessions[key]?.stream = stream
        deliver(arrived, MockStreamKey(session: key, stream: stream.number))
    }

    private mutating func deliver(_ frames: [LinkFrame], _ key: MockStreamKey) {
        for frame in frames { deliver(key.session.client, .frame(key.session.session, key.stream, frame)) }
    }

    // MARK: Photos

    mutating func takePhoto(_ key: MockSessionKey, _ request: LinkRequest, _ format: LinkPhotoFormat) {
        guard let session = sessions[key], let glasses = find(session.device) else {
            return deliver(key.client, .photoFailed(key.session, request, .sessionClosed))
        }
        if let refusal = photoRefusal(of: session) {
            return deliver(key.client, .photoFailed(key.session, request, refusal))
        }
        sessions[key]?.photo = request
        let plan = MockPhotoPlan(image: glasses.capturedImage, source: glasses.feed, format: format)
        actions.append(.takePhoto(MockPhotoKey(session: key, request: request), plan))
    }

    private func photoRefusal(of session: SimulatedSession) -> Refusal? {
        if session.photo != nil { return .cameraInUse }
        if session.pause != nil { return .paused }
        if statuses[.camera] != .granted { return .permissionDenied }
        if faults.runsOutOfMemory { return .outOfMemory }
        return nil
    }

    mutating func endPhoto(_ key: MockPhotoKey, _ result: MockPhotoResult) {
        guard sessions[key.session]?.photo == key.request else { return }
        sessions[key.session]?.photo = nil
        switch result {
        case .success(let photo):
            deliver(key.session.client, .photo(key.session.session, key.request, photo))
        case .failure(let refusal):
            deliver(key.session.client, .photoFailed(key.session.session, key.request, refusal))
        }
    }
}

extension MockFeedPlan {
    init(source: MockFeedSource, coding: LinkCoding, rung: BandwidthLadder.Rung) {
        self.init(
            source: source, coding: coding, width: rung.width, height: rung.height,
            framesPerSecond: rung.framesPerSecond)
    }
}
