import Foundation
import MWDATCamera
import MWDATCore

/// One run of a session's camera. Listeners of the toolkit come in on its threads, in order, and are handled there.
final class PhoneStream: @unchecked Sendable {  // because `lock` guards every member that changes
    /// Before the host gives a photo up, after 8 s.
    private static let photoTime: UInt64 = 7_500_000_000

    private let session: Int
    private let number: Int
    private let camera: Camera
    private let outbox: BridgeOutbox
    private let tokens = ListenerTokenBag()
    private let lock = NSLock()
    private var translation = PictureTranslation()
    private var isStarted = false
    private var isPaused = false
    private var isHeld = false
    private var isStopping = false
    private var isOver = false
    private var lastError: PhoneRefusal?
    private var photo: Int?

    init(session: Int, stream: Int, camera: Camera, outbox: BridgeOutbox) {
        self.session = session
        self.number = stream
        self.camera = camera
        self.outbox = outbox
    }

    func start() async {
        camera.stream.statePublisher.listen { [weak self] in self?.changed($0) }.store(in: tokens)
        camera.stream.errorPublisher.listen { [weak self] in self?.failed($0) }.store(in: tokens)
        camera.stream.videoFramePublisher.listen { [weak self] in self?.pictured($0) }.store(in: tokens)
        camera.stream.photoDataPublisher.listen { [weak self] in self?.photographed($0) }.store(in: tokens)
        camera.stream.start()
    }

    func stop() async {
        lock.withLock { isStopping = true }
        camera.stream.stop()
    }

    /// Whether it is the stream of that number and has not ended.
    func runs(as number: Int?) -> Bool { number == self.number && lock.withLock { !isOver } }

    /// The toolkit cannot be asked to pause: pictures are left out here. The answer is what the stream does from now on.
    func hold(_ held: Bool) async {
        lock.withLock {
            guard !isOver else { return }
            isHeld = held
            if isStarted { tell(isHeld || isPaused ? "stream.paused" : "stream.resumed") }
        }
    }

    func capture(_ request: Int, _ format: PhotoCaptureFormat) async {
        let refusal: PhoneRefusal? = lock.withLock {
            guard !isOver else { return .gone }
            guard photo == nil else {
                return PhoneRefusal(check: "occupied", message: "A photo is being taken. Wait for it.")
            }
            photo = request
            return nil
        }
        if let refusal { return answer(request, refusal) }
        guard camera.stream.capturePhoto(format: format) else {
            return giveUp(
                request, PhoneRefusal(check: "media", message: "The camera takes no photo just now. Try again."))
        }
        Task { [weak self] in
            try await Task.sleep(nanoseconds: Self.photoTime)
            self?.giveUp(request, .noAnswer)
        }
    }

    /// Ends with its session.
    func end(_ reason: PhoneRefusal?) async {
        finish(reason)
        camera.stop()
    }

    // MARK: From the toolkit's threads

    private func changed(_ state: StreamState) {
        switch state {
        case .streaming:
            lock.withLock {
                guard !isOver else { return }
                begin()
                guard isPaused else { return }
                isPaused = false
                if !isHeld { tell("stream.resumed") }
            }
        case .paused:
            lock.withLock {
                guard isStarted, !isOver, !isPaused else { return }
                isPaused = true
                if !isHeld { tell("stream.paused") }
            }
        case .stopped:
            finish(lock.withLock { isStopping ? nil : lastError ?? .gone })
            camera.stop()
        case .stopping, .waitingForDevice, .starting: break
        }
    }

    private func failed(_ error: StreamError) {
        guard case .photoCaptureFailed = error else { return lock.withLock { lastError = PhoneRefusal(error) } }
        if let request = lock.withLock({ photo }) { giveUp(request, PhoneRefusal(error)) }
    }

    private func pictured(_ frame: VideoFrame) {
        lock.withLock {
            guard !isOver, !isHeld, !isPaused,
                let message = translation.message(frame, session: session, stream: number)
            else { return }
            begin()
            outbox.put(picture: message)
        }
    }

    private func photographed(_ photo: PhotoData) {
        guard let request = take() else { return }
        let format = if case .heic = photo.format { "heic" } else { "jpeg" }
        outbox.put(
            BridgeMessage(
                kind: "photo",
                fields: ["session": .integer(session), "request": .integer(request), "format": .text(format)],
                payload: photo.data))
    }

    // MARK: Inside

    /// The first picture and the state may come in either order.
    private func begin() {
        guard !isStarted else { return }
        isStarted = true
        tell("stream.started")
        if isHeld { tell("stream.paused") }
    }

    private func finish(_ reason: PhoneRefusal?) {
        let request = take()
        lock.withLock {
            guard !isOver else { return }
            isOver = true
            tell("stream.ended", reason.map { ["refusal": $0.value] } ?? [:])
        }
        if let request { answer(request, reason ?? .gone) }
        tokens.clear()
    }

    private func take() -> Int? {
        lock.withLock {
            defer { photo = nil }
            return photo
        }
    }

    private func giveUp(_ request: Int, _ refusal: PhoneRefusal) {
        let isAwaited = lock.withLock {
            guard photo == request else { return false }
            photo = nil
            return true
        }
        if isAwaited { answer(request, refusal) }
    }

    private func answer(_ request: Int, _ refusal: PhoneRefusal) {
        outbox.put(
            BridgeMessage(
                kind: "photo.failed",
                fields: ["session": .integer(session), "request": .integer(request), "refusal": refusal.value]))
    }

    private func tell(_ kind: String, _ fields: [String: BridgeValue] = [:]) {
        let own: [String: BridgeValue] = ["session": .integer(session), "stream": .integer(number)]
        outbox.put(BridgeMessage(kind: kind, fields: fields.merging(own) { _, own in own }), afterPicturesOf: number)
    }
}
