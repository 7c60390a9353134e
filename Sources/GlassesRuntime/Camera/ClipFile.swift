import GlassesDomain

/// The file of one recording: frames and sound come from two threads and are written one after another.
actor ClipFile {
    /// Sound that waits for the first frame, which comes later than what was heard at its exposure.
    static let earlySoundLimit = Duration.seconds(2)

    private nonisolated let executor = SerialQueueExecutor(name: "clip")
    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    private let writer: any ClipWriter
    private var earlySound: [(samples: [Int16], time: MonotonicTime)] = []
    private var lastFrame: MonotonicTime?
    /// Frames that were written.
    private(set) var frames = 0
    /// Frames that were damaged or had another size.
    private(set) var skipped = 0

    init(writer: any ClipWriter) { self.writer = writer }

    /// Adds a frame; one that cannot be used is skipped. Throws when the file cannot be written any more.
    func add(_ frame: CameraFrame) throws(MediaError) {
        if let lastFrame, frame.time <= lastFrame {
            skipped += 1
            return
        }
        do {
            try writer.add(frame)
        } catch {
            switch error {
            case .undecodable, .unsupportedSize:
                skipped += 1
                return
            case .writeFailed, .coderFailed: throw error
            }
        }
        lastFrame = frame.time
        frames += 1
        let waiting = earlySound
        earlySound = []
        for sound in waiting { try writer.addSound(sound.samples, at: sound.time) }
    }

    /// Adds sound whose first sample was heard at `time`.
    func addSound(_ samples: [Int16], at time: MonotonicTime) throws(MediaError) {
        guard lastFrame == nil else { return try writer.addSound(samples, at: time) }
        earlySound.append((samples, time))
        earlySound.removeAll { $0.time.duration(to: time) > Self.earlySoundLimit }
    }

    /// Ends the file.
    func finish() throws(MediaError) -> VideoClip { try writer.finish() }
}
