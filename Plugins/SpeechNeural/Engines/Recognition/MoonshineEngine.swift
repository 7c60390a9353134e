package import CGlassesPlugin
package import GlassesPluginKit
import SpeechEngineKit
import Synchronization

/// Dictation in English by Moonshine, on a thread of its own.
///
/// Setting: `enginesFolder`, an absolute path, optional; see ``EngineFolders``.
package final class MoonshineEngine: SpeechToTextPlugin {
    private let folders: EngineFolders
    private let log: HostLog
    private let queue = UtteranceQueue()
    private let thread = Mutex<EngineThread?>(nil)

    /// How often a partial text is made at most.
    private static let partialInterval = Duration.milliseconds(500)
    /// How long speech lasts on, in seconds, so that soft ends of words reach the model.
    private static let hangover: Float = 0.1
    /// What destroy may take, less a margin.
    private static let shutdownSeconds = 1.8

    package init(settings: PluginSettings, host: EngineHost) throws(PluginFailure) {
        folders = try EngineFolders(settings, environment: EngineFolders.variable)
        log = host.log
    }

    package func activate() throws(PluginFailure) {
        guard thread.withLock({ $0 == nil }) else { throw .wrongState("The recogniser is active already.") }
        let (sherpa, moonshine) = (try folders.folder(of: .sherpa), try folders.folder(of: .moonshine))
        let silero = try folders.folder(of: .silero)
        let library = try SherpaLibrary(folder: sherpa)
        let model = try MoonshineModel(library: library, folder: moonshine)
        let detector = try SpeechDetector(library: library, folder: silero, hangover: Self.hangover)
        let queue = queue
        let started = EngineThread(name: "moonshine") {
            let recognizer = MoonshineRecognizer(model: model, detector: detector)
            var worker = UtteranceWorker(queue: queue, recognizer: recognizer, interval: Self.partialInterval)
            worker.run()
        }
        thread.withLock { $0 = started }
    }

    package var description: SpeechToTextDescription {
        SpeechToTextDescription(
            name: "Moonshine", sampleRate: MoonshineModel.sampleRate, languages: ["en-US"], model: "moonshine-tiny-en")
    }

    package func begin(_ utterance: RecognitionRequest) throws(PluginFailure) {
        guard thread.withLock({ $0 != nil }) else { throw .wrongState("Activate the recogniser first.") }
        try queue.begin(utterance)
    }

    package func push(_ samples: UnsafeBufferPointer<Int16>, utterance: glasses_request_id) throws(PluginFailure) {
        try queue.push(samples, to: utterance)
    }

    package func finish(utterance: glasses_request_id) throws(PluginFailure) { try queue.finish(utterance) }

    package func cancel(utterance: glasses_request_id) throws(PluginFailure) {
        queue.remove(utterance)?.fail(.cancelled)
    }

    package func shutdown() {
        for request in queue.close() { request.fail(.cancelled) }
        guard let thread = thread.withLock({ $0 }) else { return }
        if !thread.join(within: Self.shutdownSeconds) {
            log.warning("Moonshine is still at work on its last sound; its thread ends by itself.")
        }
    }
}
