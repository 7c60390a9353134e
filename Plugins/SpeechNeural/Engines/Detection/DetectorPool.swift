internal import CGlassesPlugin
internal import GlassesPluginKit

/// One model for each stream, since it remembers what it has heard; models of ended streams are used again.
final class DetectorPool: @unchecked Sendable {
    // because only the thread that made it, and from then on only the engine's thread, calls it
    private let library: SherpaLibrary
    private let folder: String
    private var idle: [SpeechDetector] = []
    private var busy: [glasses_request_id: (detector: SpeechDetector, resets: Int)] = [:]

    /// A pool with one model, which shows that it can be loaded; arguments as for ``SpeechDetector``.
    init(library: SherpaLibrary, folder: String) throws(PluginFailure) {
        self.library = library
        self.folder = folder
        idle = [try make()]
    }

    /// Who listens has a hang-over of its own.
    private func make() throws(PluginFailure) -> SpeechDetector {
        try SpeechDetector(library: library, folder: folder, hangover: 0)
    }

    /// Judges a window with its stream's model; `open` are the streams that still need theirs.
    func isSpeech(
        _ work: DetectionQueue.Work, open: () -> Set<glasses_request_id>
    ) throws(PluginFailure) -> Bool {
        let window = work.window.map { Float($0) / 32_768 }
        if let known = busy[work.report.id] {
            if known.resets != work.resets {
                known.detector.reset()
                busy[work.report.id]?.resets = work.resets
            }
            return known.detector.isSpeech(window)
        }
        let open = open()
        for (id, ended) in busy where !open.contains(id) {
            ended.detector.reset()
            idle.append(ended.detector)
            busy[id] = nil
        }
        let reused = idle.popLast()
        let detector = if let reused { reused } else { try make() }
        busy[work.report.id] = (detector, work.resets)
        return detector.isSpeech(window)
    }
}
