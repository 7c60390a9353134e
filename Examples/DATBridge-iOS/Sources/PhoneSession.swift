import Foundation
import MWDATCamera
import MWDATCore

/// One session of the host, on the vendor's toolkit.
actor PhoneSession {
    private let number: Int
    private let session: DeviceSession
    private let outbox: BridgeOutbox
    private var stream: PhoneStream?
    private var isClosing = false
    private var lastError: PhoneRefusal?
    private var watch: Task<Void, Never>?

    init(_ number: Int, _ session: DeviceSession, _ outbox: BridgeOutbox) {
        self.number = number
        self.session = session
        self.outbox = outbox
    }

    /// Starts, and tells what becomes of it; `ended` is called after the last message.
    func start(ended: @escaping @Sendable () async -> Void) {
        let (states, errors) = (session.stateStream(), session.errorStream())
        watch = Task { [self] in
            async let told: Void = { for await error in errors { await failed(error) } }()
            var isStarted = false
            for await state in states {
                switch state {
                case .started:
                    tell(isStarted ? "session.resumed" : "session.started")
                    isStarted = true
                case .paused: tell("session.paused")
                case .idle, .starting, .stopping, .stopped: break
                }
                if state == .stopped { break }
            }
            // The reason may come after the state; from 0.9 on both streams end.
            _ = await told
            await stopped()
            await ended()
        }
        do throws(DeviceSessionError) {
            try session.start()
        } catch {
            lastError = PhoneRefusal(error)
            session.stop()
        }
    }

    func close() {
        isClosing = true
        session.stop()
    }

    func handle(_ command: BridgeMessage) async {
        let request = command.integer("request")
        switch command.kind {
        case "stream.start": await startStream(command)
        case "stream.stop", "stream.hold":
            let number = command.integer("stream")
            guard let stream, stream.runs(as: number) else {
                return tell(
                    "stream.ended", ["stream": .integer(number ?? 0), "refusal": PhoneRefusal.gone.value])
            }
            if command.kind == "stream.stop" {
                await stream.stop()
            } else {
                await stream.hold(command.flag("held") ?? false)
            }
        case "photo.capture":
            if let stream, let request {
                await stream.capture(request, command.text("format") == "heic" ? .heic : .jpeg)
            } else {
                tell("photo.failed", ["request": .integer(request ?? 0), "refusal": PhoneRefusal.gone.value])
            }
        case "display.start", "display.stop": tell("display.ended", ["refusal": PhoneRefusal.noDisplay.value])
        case "view.show", "view.clear":
            tell("view.failed", ["request": .integer(request ?? 0), "refusal": PhoneRefusal.noDisplay.value])
        // The toolkit has no call for a key frame, and there is no video without a display.
        default: break
        }
    }

    private func startStream(_ command: BridgeMessage) async {
        guard let stream = command.integer("stream") else { return }
        func refuse(_ refusal: PhoneRefusal) {
            tell("stream.ended", ["stream": .integer(stream), "refusal": refusal.value])
        }
        guard command.text("coding") == "i420" else {
            return refuse(
                PhoneRefusal(check: "media", message: "The phone's app sends raw pictures only.", isRetryable: false))
        }
        let resolution: StreamingResolution =
            switch command.integer("height") ?? 0 {
            case 1_000...: .high
            case 800...: .medium
            default: .low
            }
        let rate = UInt(clamping: command.integer("framesPerSecond") ?? 30)
        let configuration = StreamConfiguration(videoCodec: .raw, resolution: resolution, frameRate: rate)
        do throws(DeviceSessionError) {
            guard let camera = try await addCamera(configuration) else { return refuse(.gone) }
            let started = PhoneStream(session: number, stream: stream, camera: camera, outbox: outbox)
            self.stream = started
            await started.start()
        } catch {
            refuse(PhoneRefusal(error))
        }
    }

    /// The place of an earlier camera is free only when that has finished stopping.
    private func addCamera(_ configuration: StreamConfiguration) async throws(DeviceSessionError) -> Camera? {
        for _ in 0..<20 {
            do throws(DeviceSessionError) {
                return try session.addCamera(config: configuration)
            } catch DeviceSessionError.capabilityAlreadyActive {
                try? await Task.sleep(nanoseconds: 100_000_000)
            }
        }
        return try session.addCamera(config: configuration)
    }

    private func failed(_ error: DeviceSessionError) {
        switch error {
        case .dwaOutOfStuRange, .thermalCritical: tell("session.warned", ["refusal": PhoneRefusal(error).value])
        default: lastError = PhoneRefusal(error)
        }
    }

    private func stopped() async {
        await stream?.end(isClosing ? nil : lastError)
        tell("session.ended", isClosing ? [:] : (lastError.map { ["refusal": $0.value] } ?? [:]))
    }

    private func tell(_ kind: String, _ fields: [String: BridgeValue] = [:]) {
        outbox.put(BridgeMessage(kind: kind, fields: fields.merging(["session": .integer(number)]) { _, own in own }))
    }
}
