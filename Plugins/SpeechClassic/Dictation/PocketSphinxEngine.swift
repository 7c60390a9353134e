import CGlassesPlugin
import GlassesPluginKit
import SpeechEngineKit
import Synchronization

/// Dictation in English by PocketSphinx, on a thread of its own.
///
/// Settings: `libraryFolder` and `modelFolder`, both absolute paths and both optional.
final class PocketSphinxEngine: SpeechToTextPlugin {
    private let settings: EngineSettings
    private let log: HostLog
    private let queue = UtteranceQueue()
    private let thread = Mutex<EngineThread?>(nil)

    /// How often a partial text is told at most.
    private static let partialInterval = Duration.milliseconds(300)
    /// What destroy may take, less a margin.
    private static let shutdownSeconds = 1.8

    init(settings: PluginSettings, host: EngineHost) throws(PluginFailure) {
        self.settings = try EngineSettings(settings)
        log = host.log
    }

    func activate() throws(PluginFailure) {
        guard thread.withLock({ $0 == nil }) else { throw .wrongState("The recogniser is active already.") }
        let library = try PocketSphinxLibrary(folder: settings.libraryFolder)
        let model = try DictationModel(folder: settings.modelFolder)
        let decoder = try PocketSphinxDecoder(library: library, model: model)
        let queue = queue
        let started = EngineThread(name: "pocketsphinx") {
            decoder.adoptThread()
            let recognizer = DictationRecognizer(decoder: decoder)
            var worker = UtteranceWorker(queue: queue, recognizer: recognizer, interval: Self.partialInterval)
            worker.run()
        }
        thread.withLock { $0 = started }
    }

    var description: SpeechToTextDescription {
        SpeechToTextDescription(
            name: "PocketSphinx", sampleRate: UtteranceQueue.sampleRate, languages: ["en-US"], model: "en-us")
    }

    func begin(_ utterance: RecognitionRequest) throws(PluginFailure) {
        guard thread.withLock({ $0 != nil }) else { throw .wrongState("Activate the recogniser first.") }
        try queue.begin(utterance)
    }

    func push(_ samples: UnsafeBufferPointer<Int16>, utterance: glasses_request_id) throws(PluginFailure) {
        try queue.push(samples, to: utterance)
    }

    func finish(utterance: glasses_request_id) throws(PluginFailure) { try queue.finish(utterance) }

    func cancel(utterance: glasses_request_id) throws(PluginFailure) { queue.remove(utterance)?.fail(.cancelled) }

    func shutdown() {
        for request in queue.close() { request.fail(.cancelled) }
        guard let thread = thread.withLock({ $0 }) else { return }
        if !thread.join(within: Self.shutdownSeconds) {
            log.warning("PocketSphinx is still at work on its last sound; its thread ends by itself.")
        }
    }
}
