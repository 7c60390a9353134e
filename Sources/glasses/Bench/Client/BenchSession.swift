import Foundation
@_spi(ExtentosTools) import GlassesCore
@_spi(ExtentosTools) import GlassesRuntime

/// One conversation as an app holds it: glasses, their session, one tool.
final class BenchSession: Sendable {
    private struct WeatherArguments: Codable, Sendable {
        var city: String
    }

    private let device: BenchDevice
    private let recording: BenchRecording
    private let frames: [[Int16]]
    private let glasses: DefaultExtentosGlasses

    /// A session with the server at `endpoint` that will last `ticks` of 20 ms and hear `frames`.
    init(endpoint: GatewayEndpoint, frames: [[Int16]], ticks: Int) {
        let recording = BenchRecording(frames: ticks)
        device = BenchDevice(recording: recording)
        self.recording = recording
        self.frames = frames
        var recorders = Extentos.Recorders()
        recorders.voice = { recording.delivered($0) }
        glasses = Extentos.create(
            config: ExtentosConfig(
                appId: "glasses", transport: .plugin(id: BenchDevice.pluginID), gateway: .remote(endpoint)),
            recorders: recorders,
            transport: device)
    }

    /// Connects, and returns once the server has taken the configuration and the microphone is open.
    func start() async throws {
        if case .failure(let error) = await glasses.connect() { throw Problem(error) }
        let recording = recording
        try await glasses.assistant.start(provider: .managed()) { builder in
            builder.startActive = true
            builder.greeting = .off
            builder.transcribesInput = false
            builder.neverSleep()
            builder.tool(
                "get_weather", description: "Tell the weather in a city.",
                schema: [
                    "type": "object", "properties": ["city": ["type": "string"]], "required": ["city"],
                ]
            ) { (arguments: WeatherArguments) in
                let start = Stopwatch.now
                let answer = ToolResult.ok("18 degrees and sunny in \(arguments.city)")
                recording.toolRan(from: start, to: Stopwatch.now)
                return answer
            }
        }
        await device.benchMicrophone.opened()
        recording.ready()
    }

    /// A tick of 20 ms: the microphone hears a frame, the loudspeaker takes one.
    func tick(_ number: Int) {
        let frame = number % frames.count
        device.benchMicrophone.hear(frames[frame], frame: frame)
        device.benchSpeaker.tick()
    }

    /// Puts the session to sleep.
    func fallAsleep() async throws { try await glasses.assistant.activeSession?.sleep() }

    /// Whether the conversation still lives, awake or asleep.
    var isAlive: Bool {
        switch glasses.assistant.activeSession?.state.current {
        case .active, .dormant: true
        case .idle, .activating, .reconnecting, .sleeping, .stopping, .stopped, nil: false
        }
    }

    /// What happened so far, with what went wrong.
    func record() async -> BenchSessionRecord {
        var record = recording.record
        for event in await glasses.runtime.snapshotEvents() {
            switch event {
            case .assistant(.error(let kind, let message)): record.errors.append("\(kind): \(message)")
            case .assistant(.reconnected(_, let milliseconds)):
                record.errors.append("reconnected after \(milliseconds) ms")
            case .assistant(.sessionEnded(_, let message)):
                record.errors.append("session ended: \(message ?? "no reason")")
            case .log(let level, let message, _) where level >= .warn: record.errors.append(message)
            case .assistant, .log, .toggleChanged: continue
            }
        }
        return record
    }

    /// Ends the session and its glasses.
    func end() async { await glasses.shutdown() }
}
