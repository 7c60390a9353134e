package import CGlassesPlugin
package import GlassesPluginKit
import SpeechEngineKit
import Synchronization

/// Voice activity by Silero in windows of 32 ms, on a thread of its own. The library tells yes or no, so that a probability is 1
/// or 0; its own threshold is 0.5 for a beginning, two windows in a row, and 0.35 for going on.
///
/// Setting: `enginesFolder`, an absolute path, optional; see ``EngineFolders``.
package final class SileroEngine: VoiceActivityPlugin {
    private let folders: EngineFolders
    private let log: HostLog
    private let queue = DetectionQueue()
    private let thread = Mutex<EngineThread?>(nil)

    /// What destroy may take, less a margin.
    private static let shutdownSeconds = 1.8

    package init(settings: PluginSettings, host: EngineHost) throws(PluginFailure) {
        folders = try EngineFolders(settings, environment: EngineFolders.variable)
        log = host.log
    }

    package func activate() throws(PluginFailure) {
        guard thread.withLock({ $0 == nil }) else { throw .wrongState("The detector is active already.") }
        let (sherpa, silero) = (try folders.folder(of: .sherpa), try folders.folder(of: .silero))
        let library = try SherpaLibrary(folder: sherpa)
        let pool = try DetectorPool(library: library, folder: silero)
        let queue = queue
        let started = EngineThread(name: "silero") { Self.work(off: queue, with: pool) }
        thread.withLock { $0 = started }
    }

    package var description: VoiceActivityDescription {
        VoiceActivityDescription(name: "Silero", sampleRate: DetectionQueue.sampleRate, model: "silero-vad-6")
    }

    package func begin(_ stream: VoiceActivityReport) throws(PluginFailure) {
        guard thread.withLock({ $0 != nil }) else { throw .wrongState("Activate the detector first.") }
        try queue.begin(stream)
    }

    package func push(_ samples: UnsafeBufferPointer<Int16>, stream: glasses_request_id) throws(PluginFailure) {
        try queue.push(samples, to: stream)
    }

    package func reset(stream: glasses_request_id) throws(PluginFailure) { try queue.reset(stream) }

    package func end(stream: glasses_request_id) throws(PluginFailure) { _ = queue.remove(stream) }

    package func shutdown() {
        for report in queue.close() { report.fail(.cancelled) }
        guard let thread = thread.withLock({ $0 }) else { return }
        if !thread.join(within: Self.shutdownSeconds) {
            log.warning("Silero is still at work on its last window; its thread ends by itself.")
        }
    }

    /// The engine's thread.
    private static func work(off queue: DetectionQueue, with pool: DetectorPool) {
        while let work = queue.next() {
            do throws(PluginFailure) {
                let isSpeech = try pool.isSpeech(work, open: { queue.openIds })
                guard queue.isCurrent(work) else { continue }
                work.report.judge(
                    firstFrame: work.firstFrame, frames: UInt32(work.window.count), probability: isSpeech ? 1 : 0)
            } catch {
                queue.remove(work.report.id)?.fail(error)
            }
        }
    }
}
