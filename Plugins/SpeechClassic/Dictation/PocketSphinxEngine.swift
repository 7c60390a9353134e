import CGlassesPlugin
import Foundation
import GlassesPluginKit
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
        let started = EngineThread(name: "pocketsphinx") { Self.work(off: queue, with: decoder) }
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

    /// The engine's thread.
    private static func work(off queue: UtteranceQueue, with decoder: PocketSphinxDecoder) {
        decoder.adoptThread()
        let recognizer = DictationRecognizer(decoder: decoder)
        var current: RecognitionRequest?
        var partial = PartialTexts(interval: partialInterval)
        while true {
            let work = queue.next(until: partial.due)
            let request: RecognitionRequest
            switch work {
            case .closed: return
            case .slice(_, let owner), .complete(let owner): request = owner
            case .none:
                if let current, queue.isOpen(current.id) {
                    partial.tell(recognizer.partialText, to: current)
                } else {
                    partial.end()
                }
                continue
            }
            do throws(PluginFailure) {
                if current?.id != request.id {
                    try recognizer.abandon()
                    current = request
                    partial = PartialTexts(interval: partialInterval)
                }
                switch work {
                case .closed, .none: continue
                case .slice(let slice, _):
                    try recognizer.add(slice)
                    partial.tell(recognizer.partialText, to: request)
                case .complete:
                    partial.end()
                    let result = try recognizer.finish(isWanted: { queue.isOpen(request.id) })
                    guard let result, queue.remove(request.id) != nil else { continue }
                    request.finish(result.text, confidence: result.confidence)
                }
            } catch {
                partial.end()
                queue.remove(request.id)?.fail(error)
            }
        }
    }
}

/// Tells the partial texts of one utterance: only new ones, and not too often, but the newest always.
private struct PartialTexts {
    let interval: Duration
    private var last: (text: String, time: ContinuousClock.Instant)?
    /// When a text that was held back is told; a person who has stopped speaking would otherwise never see it.
    private(set) var due: Date?

    init(interval: Duration) { self.interval = interval }

    mutating func tell(_ text: @autoclosure () -> String, to request: RecognitionRequest) {
        let now = ContinuousClock.now
        if let last, now - last.time < interval {
            due = Date(timeIntervalSinceNow: (interval - (now - last.time)) / .seconds(1))
            return
        }
        due = nil
        let text = text()
        guard text != last?.text ?? "" else { return }
        last = (text, now)
        // No posterior exists before the end.
        request.partial(text, confidence: 0)
    }

    /// Nothing more is told.
    mutating func end() { due = nil }
}
