import GlassesDomain
import Synchronization

/// The camera of a simulated device: a test decides when it opens, what it sees and when it fails.
///
/// A paced camera shows a frame at once and then one each period of its mode, by its clock; another one shows what ``show(_:)`` is
/// given and nothing else.
public final class SimulatedCamera: CameraPort {
    /// How an opening ends.
    public enum Opening: Sendable {
        case succeed
        case fail(CaptureError)
        /// Answers with ``answerHeldOpenings()``, however late.
        case hold
    }

    /// How a still ends.
    public enum StillAnswer: Sendable {
        case succeed(CameraStill)
        case fail(CaptureError)
        /// Answers with ``answerHeldStills(_:)``, however late.
        case hold
    }

    private struct Stream {
        var mode: CameraMode
        var onFrame: @Sendable (CameraFrame) -> Void
        var onChange: @Sendable (CameraStreamChange) -> Void
    }

    private struct Storage {
        var stream: Stream?
        var isPaused = false
        var openings: [Opening] = []
        var stills: [StillAnswer] = []
        var heldOpenings: [CheckedContinuation<Void, Never>] = []
        var heldStills: [CheckedContinuation<ExtentosResult<CameraStill, CaptureError>, Never>] = []
        var modes: [CameraMode] = []
        var closings = 0
        var streams = 0
        var frames: UInt64 = 0
        var dropped: Int64 = 0
    }

    /// The modes of the documented sizes at the documented rates, as I420.
    public static let documentedModes: [CameraMode] = [(360, 640), (504, 896), (720, 1_280)].flatMap { size in
        [2, 7, 15, 24, 30].map { CameraMode(format: .i420, width: size.0, height: size.1, frameRate: $0) }
    }

    /// What it can do.
    public let facts: CameraFacts
    private let clock: ClockPort
    private let isPaced: Bool
    private let storage = Mutex(Storage())

    /// A camera on `clock` with `modes`; nil as the still format means that it takes no stills of its own.
    public init(
        clock: ClockPort, modes: [CameraMode] = SimulatedCamera.documentedModes, stillFormat: CameraStillFormat? = nil,
        isPaced: Bool = false
    ) {
        facts = CameraFacts(modes: modes, stillFormat: stillFormat)
        self.clock = clock
        self.isPaced = isPaced
    }

    // MARK: What the test looks at

    /// Whether a stream is open.
    public var isOpen: Bool { storage.withLock { $0.stream != nil } }
    /// The modes that were asked for so far, oldest first.
    public var openedModes: [CameraMode] { storage.withLock { $0.modes } }
    /// How often it was closed.
    public var closings: Int { storage.withLock { $0.closings } }
    /// Openings that wait for ``answerHeldOpenings()``.
    public var heldOpenings: Int { storage.withLock { $0.heldOpenings.count } }
    /// Stills that wait for ``answerHeldStills(_:)``.
    public var heldStills: Int { storage.withLock { $0.heldStills.count } }
    /// What ``drop(_:)`` counted.
    public var droppedFrames: Int64 { storage.withLock { $0.dropped } }

    // MARK: What the test does

    /// Ends the next openings like this, one each; later ones succeed.
    public func planOpenings(_ openings: [Opening]) { storage.withLock { $0.openings = openings } }

    /// Ends the next stills like this, one each; later ones fail with the code `unsupported`.
    public func planStills(_ stills: [StillAnswer]) { storage.withLock { $0.stills = stills } }

    /// Answers the openings that were held; they succeed.
    public func answerHeldOpenings() {
        let held = storage.withLock { storage in
            defer { storage.heldOpenings = [] }
            return storage.heldOpenings
        }
        for continuation in held { continuation.resume() }
    }

    /// Answers the stills that were held.
    public func answerHeldStills(_ answer: ExtentosResult<CameraStill, CaptureError>) {
        let held = storage.withLock { storage in
            defer { storage.heldStills = [] }
            return storage.heldStills
        }
        for continuation in held { continuation.resume(returning: answer) }
    }

    /// Shows the test pattern, exposed now; false when no stream runs.
    @discardableResult
    public func show() -> Bool {
        let mode = storage.withLock { $0.stream?.mode }
        guard let mode else { return false }
        let number = storage.withLock { storage in
            defer { storage.frames += 1 }
            return storage.frames
        }
        return show(Self.pattern(mode, number: number, time: clock.now()))
    }

    /// Shows a frame as it is, whatever it says of itself; false when no stream runs.
    @discardableResult
    public func show(_ frame: CameraFrame) -> Bool {
        guard let stream = storage.withLock({ $0.isPaused ? nil : $0.stream }) else { return false }
        stream.onFrame(frame)
        return true
    }

    /// The wearer or the device pauses the stream.
    public func pause(_ reason: CaptureError = .streamPaused) { change(.paused(reason), isPaused: true) }

    /// The stream goes on.
    public func resume() { change(.resumed, isPaused: false) }

    /// The device ends the stream.
    public func end(_ reason: CaptureError) {
        let stream = storage.withLock { storage in
            defer { storage.stream = nil }
            return storage.stream
        }
        stream?.onChange(.ended(reason))
    }

    /// Counts frames that were lost before the host.
    public func drop(_ count: Int64) { storage.withLock { $0.dropped += count } }

    private func change(_ change: CameraStreamChange, isPaused: Bool) {
        let stream = storage.withLock { storage in
            storage.isPaused = isPaused
            return storage.stream
        }
        stream?.onChange(change)
    }

    // MARK: What the runtime does

    /// Ends as planned; succeeds at once otherwise.
    public func open(
        _ mode: CameraMode, onFrame: @escaping @Sendable (CameraFrame) -> Void,
        onChange: @escaping @Sendable (CameraStreamChange) -> Void
    ) async -> ExtentosResult<Void, CaptureError> {
        let opening = storage.withLock { storage -> Opening in
            storage.modes.append(mode)
            return storage.openings.isEmpty ? .succeed : storage.openings.removeFirst()
        }
        switch opening {
        case .succeed: break
        case .fail(let error): return .failure(error)
        case .hold: await withCheckedContinuation { held in storage.withLock { $0.heldOpenings.append(held) } }
        }
        let number = storage.withLock { storage in
            storage.stream = Stream(mode: mode, onFrame: onFrame, onChange: onChange)
            storage.isPaused = false
            storage.streams += 1
            return storage.streams
        }
        if isPaced { pace(number, period: .nanoseconds(1_000_000_000 / Int64(max(1, mode.frameRate)))) }
        return .success(())
    }

    /// Closes at once.
    public func close() async {
        storage.withLock { storage in
            storage.stream = nil
            storage.closings += 1
        }
    }

    /// Ends as planned.
    public func takeStill() async -> ExtentosResult<CameraStill, CaptureError> {
        let answer = storage.withLock { storage -> StillAnswer in
            storage.stills.isEmpty
                ? .fail(.platformError(code: "unsupported", message: "The test planned no still. Plan one."))
                : storage.stills.removeFirst()
        }
        switch answer {
        case .succeed(let still): return .success(still)
        case .fail(let error): return .failure(error)
        case .hold: return await withCheckedContinuation { held in storage.withLock { $0.heldStills.append(held) } }
        }
    }

    /// Shows frames until its stream is closed.
    private func pace(_ stream: Int, period: Duration) {
        Task { [weak self, clock] in
            var next = clock.now()
            while let self, storage.withLock({ $0.stream != nil && $0.streams == stream }) {
                show()
                next = next.advanced(by: period)
                do { try await clock.sleepUntil(next) } catch { return }
            }
        }
    }

    /// The test pattern: grey, one level lighter with each frame.
    public static func pattern(_ mode: CameraMode, number: UInt64, time: MonotonicTime) -> CameraFrame {
        let luma = mode.width * mode.height
        let chroma = (mode.width + 1) / 2 * ((mode.height + 1) / 2)
        let grey = UInt8(16 + number % 220)
        return CameraFrame(
            bytes: [UInt8](repeating: grey, count: luma) + [UInt8](repeating: 128, count: 2 * chroma), format: .i420,
            width: mode.width, height: mode.height, rotation: 0,
            planes: [
                CameraPlane(offset: 0, stride: mode.width), CameraPlane(offset: luma, stride: (mode.width + 1) / 2),
                CameraPlane(offset: luma + chroma, stride: (mode.width + 1) / 2),
            ], time: time, number: number)
    }
}
