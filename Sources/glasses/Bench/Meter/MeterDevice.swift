import GlassesCore
import GlassesPluginHost
import Synchronization

/// The loudspeaker and the microphone of a meter, driven through the device's ports so that their own times are known.
final class MeterDevice: Sendable {
    /// Rounds end before this much was recorded; more is not kept, so that memory has a bound.
    private static let longestRound = 240

    private struct Storage {
        var capture: CaptureTrack
        /// Where the loudspeaker was, and when.
        var positions: [ClockFit.Mark] = []
        /// What waits for room in the loudspeaker.
        var waiting: ArraySlice<Int16> = []
    }

    let microphoneRate: Int
    let speakerRate: Int
    private let transport: any GlassesTransport
    private let microphone: any MicrophonePort
    private let speaker: any SpeakerPort
    private let storage: Mutex<Storage>

    private init(_ transport: any GlassesTransport, _ microphone: any MicrophonePort, _ speaker: any SpeakerPort) {
        self.transport = transport
        self.microphone = microphone
        self.speaker = speaker
        microphoneRate = microphone.sampleRate
        speakerRate = speaker.sampleRate
        storage = Mutex(Storage(capture: CaptureTrack(sampleRate: microphone.sampleRate)))
    }

    /// Opens both sides of the device.
    static func open(_ options: DeviceOptions, host: PluginHost) async -> Result<MeterDevice, Problem> {
        guard case .plugin(let id, var settings) = options.transport else { return .failure(.noMeterDevice) }
        // A meter hears what there is, its own sound included.
        settings["echoCancellation"] = "off"
        let transport: any GlassesTransport
        switch await host.transport(id: id, settings: .object(settings)) {
        case .failure(let error): return .failure(Problem(error))
        case .success(let found): transport = found
        }
        if let problem = await connect(transport) {
            await transport.shutdown()
            return .failure(problem)
        }
        guard let microphone = transport.microphone, let speaker = transport.speaker else {
            await transport.shutdown()
            return .failure(.noMeterDevice)
        }
        let device = MeterDevice(transport, microphone, speaker)
        if let problem = await device.start() {
            await device.close()
            return .failure(problem)
        }
        return .success(device)
    }

    private static func connect(_ transport: any GlassesTransport) async -> Problem? {
        await transport.connect(deviceId: nil).failure.map { Problem($0) }
    }

    private func start() async -> Problem? {
        let opened = await speaker.open { [weak self] position in
            guard position.isAdvancing else { return }
            self?.storage.withLock { $0.positions.append(.init(frame: position.frame, time: position.time)) }
        }
        if let error = opened.failure { return Problem(error) }
        let heard = await microphone.open { [weak self] block in self?.heard(block) }
        return heard.failure.map { Problem($0) }
    }

    private func heard(_ block: PCMBlock) {
        storage.withLock { storage in
            guard storage.capture.samples.count < Self.longestRound * microphoneRate else { return }
            storage.capture.add(block)
        }
    }

    /// Begins a round: forgets what was heard and where the loudspeaker was.
    func beginRound() {
        storage.withLock { storage in
            storage.capture = CaptureTrack(sampleRate: microphoneRate)
            storage.positions = []
        }
    }

    /// What was heard since the round began, from frame `start` on.
    func heard(from start: Int) -> [Int16] {
        // A copy: a slice would keep the whole recording, and the next block would have to copy that.
        storage.withLock { Array($0.capture.samples[min(start, $0.capture.samples.count)...]) }
    }

    /// Whether audio of the round is missing.
    var hasGap: Bool { storage.withLock { $0.capture.hasGap } }

    /// Everything of the round.
    var round: (capture: CaptureTrack, positions: [ClockFit.Mark]) {
        storage.withLock { ($0.capture, $0.positions) }
    }

    /// Plays `samples` after what is being played, and answers the frame of the loudspeaker's stream at which they begin. Call
    /// ``pump()`` every 20 ms until they were taken.
    func play(_ samples: [Int16]) -> Int64 {
        let start = storage.withLock { storage in
            defer { storage.waiting += samples }
            return speaker.writtenFrames + Int64(storage.waiting.count)
        }
        pump()
        return start
    }

    /// Hands the loudspeaker what it has room for.
    func pump() {
        storage.withLock { storage in
            guard !storage.waiting.isEmpty else { return }
            storage.waiting = storage.waiting.dropFirst(speaker.write(storage.waiting))
        }
    }

    /// Releases the device.
    func close() async {
        await microphone.close()
        await speaker.close()
        await transport.disconnect()
        await transport.shutdown()
    }
}

extension Problem {
    fileprivate static let noMeterDevice = Problem(
        code: "meter_needs_device", "A meter needs a microphone and a loudspeaker.", command: "glasses devices")
}
