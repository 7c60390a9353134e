import CGlassesPlugin
import GlassesPluginKit
import SpeechEngineKit
import Synchronization

/// English voices by Flite, on a thread of its own.
///
/// Settings: `libraryFolder`, an absolute path, and `voice`, the default voice; both optional.
final class FliteEngine: TextToSpeechPlugin {
    private let settings: EngineSettings
    private let log: HostLog
    private let queue = SynthesisQueue()
    private let active = Mutex<Active?>(nil)

    private struct Active: Sendable {
        let thread: EngineThread
        let voices: [String]
    }

    /// How much audio goes to the host at once, 100 ms: between two blocks a cancelled text ends.
    private static let blockFrames = FliteLibrary.sampleRate / 10
    /// What destroy may take, less a margin.
    private static let shutdownSeconds = 1.8

    init(settings: PluginSettings, host: EngineHost) throws(PluginFailure) {
        self.settings = try EngineSettings(settings)
        log = host.log
    }

    func activate() throws(PluginFailure) {
        guard active.withLock({ $0 == nil }) else { throw .wrongState("The synthesiser is active already.") }
        let library = try FliteLibrary(folder: settings.libraryFolder)
        let queue = queue
        let voices = order(library.voiceNames)
        let thread = EngineThread(name: "flite") { Self.work(off: queue, with: library, defaultVoice: voices.first) }
        active.withLock { $0 = Active(thread: thread, voices: voices) }
    }

    /// The voices with the app's choice first, when it is there.
    private func order(_ voices: [String]) -> [String] {
        guard let wanted = settings.voice else { return voices }
        guard voices.contains(wanted) else {
            log.warning("There is no voice of the wanted name; \(voices.first ?? "none") speaks instead.")
            return voices
        }
        return [wanted] + voices.filter { $0 != wanted }
    }

    var description: TextToSpeechDescription {
        TextToSpeechDescription(
            name: "Flite", sampleRate: FliteLibrary.sampleRate,
            voices: active.withLock { $0?.voices } ?? FliteVoice.all.map(\.name), languages: ["en-US"])
    }

    func speak(_ text: String, options: SpeechOptions, request: SynthesisRequest) throws(PluginFailure) {
        guard active.withLock({ $0 != nil }) else { throw .wrongState("Activate the synthesiser first.") }
        guard text.utf8.count <= Int(GLASSES_MESSAGE_MAX) else {
            throw PluginFailure(
                Int(GLASSES_ERROR_TOO_LARGE), code: "text_too_long", message: "Speak at most 64 KiB of text at once.")
        }
        try queue.add(SynthesisQueue.Job(request: request, text: text, options: options))
    }

    func cancel(request: glasses_request_id) throws(PluginFailure) { queue.remove(request)?.fail(.cancelled) }

    func shutdown() {
        for request in queue.close() { request.fail(.cancelled) }
        guard let thread = active.withLock({ $0?.thread }) else { return }
        if !thread.join(within: Self.shutdownSeconds) {
            log.warning("Flite is still at work on its last piece of text; its thread ends by itself.")
        }
    }

    /// The engine's thread.
    private static func work(off queue: SynthesisQueue, with library: FliteLibrary, defaultVoice: String?) {
        while let job = queue.next() {
            let voice = job.options.voice.flatMap { library.voiceNames.contains($0) ? $0 : nil } ?? defaultVoice
            do throws(PluginFailure) {
                try speak(job, voice: voice, with: library, queue: queue)
                queue.remove(job.request.id)?.finish()
            } catch {
                queue.remove(job.request.id)?.fail(error)
            }
        }
    }

    private static func speak(
        _ job: SynthesisQueue.Job, voice: String?, with library: FliteLibrary, queue: SynthesisQueue
    ) throws(PluginFailure) {
        var joint = PieceJoint()
        for piece in SpokenText(job.text).pieces {
            guard queue.isOpen(job.request.id) else { throw .cancelled }
            let samples = try library.speak(
                piece.text, voice: voice, rate: job.options.rate, pitch: job.options.pitch)
            try write(joint.trim(samples, endsSentence: piece.endsSentence), to: job.request, queue: queue)
        }
    }

    private static func write(
        _ samples: ArraySlice<Int16>, to request: SynthesisRequest, queue: SynthesisQueue
    ) throws(PluginFailure) {
        for start in stride(from: samples.startIndex, to: samples.endIndex, by: blockFrames) {
            let block = samples[start..<min(start + blockFrames, samples.endIndex)]
            let isWanted = queue.isOpen(request.id) && block.withUnsafeBufferPointer { request.write($0) }
            guard isWanted else { throw .cancelled }
        }
    }
}
