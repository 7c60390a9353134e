import Foundation
@_spi(ExtentosTools) import GlassesCore
@_spi(ExtentosTools) import GlassesRuntime

/// `glasses record`.
struct RecordCommand: Command {
    static let seconds = OptionSpec(
        "--seconds", .number("N", 1...86_400), help: "End after N whole seconds; otherwise record until Ctrl-C.")
    static let noSound = OptionSpec("--no-sound", help: "Leave the microphone alone.")
    static let out = OptionSpec(
        "--out", .text("FILE"), help: "Write the clip to FILE, which must not exist; otherwise to your cache folder.")
    static let json = OptionSpec(
        "--json",
        help: "Print one JSON object a line: recording {resolution, frameRate}, clip {path, durationMs, width, height, "
            + "format}, or error {code, message}.")
    static let spec = CommandSpec(
        "record", summary: "Record a clip with the device's camera and microphone.",
        details: [
            "Prints the file's path, length and size. Only you can read the file; what is on the disk is playable at any "
                + "time, also when the program is killed. Without a microphone the clip has no sound.",
            "Exit codes: 0 recorded, 2 wrong options, 3 nothing was recorded, and why.",
        ],
        options: [
            DeviceOptions.device, SimulatedGlasses.option, PhoneBridge.option, DeviceOptions.camera,
            DeviceOptions.microphone,
            Resolution.option, seconds, noSound,
            out, json,
        ],
        examples: ["glasses record --seconds 10", "glasses record --camera pattern --no-sound --out test.mp4"])

    private let device: DeviceOptions
    private let config: VideoConfig
    private let target: CaptureTarget
    private let isJSON: Bool

    init(_ arguments: ParsedArguments) throws(UsageError) {
        let hasSound = !arguments.has(Self.noSound.name)
        if !hasSound, arguments.text(DeviceOptions.microphone.name) != nil {
            throw arguments.error("--mic is for clips with sound; leave it out, or leave out --no-sound")
        }
        let seconds = arguments.number(Self.seconds.name)
        if let seconds, seconds != seconds.rounded() { throw arguments.error("--seconds takes whole seconds") }
        device = try DeviceOptions(arguments).watching(withSound: hasSound)
        config = VideoConfig(
            resolution: Resolution(arguments), maxDurationSeconds: seconds.map { Int($0) }, format: .mp4H264,
            includeAudio: hasSound)
        target = try CaptureTarget(arguments, Self.out)
        isJSON = arguments.has(Self.json.name)
    }

    func run(_ console: Console) async -> ExitStatus {
        if device.isMocked, let problem = await SimulatedGlasses.start(console) {
            console.report(problem)
            return .unavailable
        }
        let start = Stopwatch.now
        let glasses = Extentos.create(
            config: ExtentosConfig(
                appId: "glasses", transport: device.transport, usedCapabilities: [.camera, .microphone]),
            recorders: Extentos.Recorders(), captures: target.folder)
        let signals = EndSignals(console: console)
        console.showProgress("Connecting …")
        let result: Result<VideoClip, Problem>
        if let error = await device.connect(glasses, console) {
            result = .failure(Problem(error))
        } else {
            result = await record(glasses, signals, console, start)
        }
        await glasses.shutdown()
        return conclude(result, console, start)
    }

    private func record(
        _ glasses: any ExtentosGlasses, _ signals: EndSignals, _ console: Console, _ start: MonotonicTime
    ) async -> Result<VideoClip, Problem> {
        // Cancelled and not stopped: that also reaches a recording that has not begun yet.
        let recording = Task { [config] in await glasses.camera.captureVideo(config: config) }
        let stopping = Task {
            await signals.wait()
            if signals.isAsked { recording.cancel() }
        }
        let beginning = RecordingStart(console: console, isJSON: isJSON, isEndless: config.maxDurationSeconds == nil)
        let progress = Task { await showProgress(glasses, beginning, console, start) }
        let recorded = await recording.value
        stopping.cancel()
        progress.cancel()
        console.showProgress(nil)
        switch recorded {
        case .success(let clip):
            // A short clip can be over before its progress is shown; the stream stays warm behind it.
            if let info = glasses.camera.activeStreamInfo() { beginning.tell(info, start) }
            return .success(clip)
        case .failure(let error): return .failure(Problem(error))
        }
    }

    /// Says that the recording runs once frames come, and then how long it is.
    private func showProgress(
        _ glasses: any ExtentosGlasses, _ beginning: RecordingStart, _ console: Console, _ start: MonotonicTime
    ) async {
        console.showProgress("Waiting for the camera …")
        for await state in glasses.camera.streamState() where state == .streaming { break }
        guard let info = glasses.camera.activeStreamInfo(), !Task.isCancelled else { return }
        beginning.tell(info, start)
        let begin = Stopwatch.now
        while !Task.isCancelled {
            console.showProgress("Recording \(Int(begin.duration(to: Stopwatch.now).seconds)) s")
            do { try await Task.sleep(for: .milliseconds(500)) } catch { return }
        }
    }

    private func conclude(
        _ result: Result<VideoClip, Problem>, _ console: Console, _ start: MonotonicTime
    ) -> ExitStatus {
        switch result {
        case .success(let clip):
            let path = clip.uri.flatMap(URL.init(string:))?.path ?? ""
            if isJSON {
                console.print(
                    JSONLine.text(
                        "clip", start,
                        [
                            "path": .string(path), "durationMs": .int(clip.durationMs),
                            "width": .int(Int64(clip.width)), "height": .int(Int64(clip.height)),
                            "format": .string(clip.format.rawValue),
                        ]))
            } else {
                let seconds = String(format: "%.1f", Double(clip.durationMs) / 1_000)
                console.print("\(path)  \(seconds) s  \(clip.width)×\(clip.height)")
            }
            return .ok
        case .failure(let problem):
            if isJSON {
                console.print(
                    JSONLine.text(
                        "error", start, ["code": .string(problem.code), "message": .string(problem.sentence)]))
            }
            console.report(problem)
            return .unavailable
        }
    }
}
