internal import CGlassesPlugin
import Foundation
internal import GlassesPluginKit

/// The open streams of one detector, served in turn: calls put in, the engine's thread takes out.
final class DetectionQueue: @unchecked Sendable {
    // because everything below is read and written under `condition`
    private let condition = NSCondition()
    private var streams: [Stream] = []
    private var isClosed = false

    /// What the ABI promises to keep open, and no more: each has a model of its own.
    static let openLimit = 8
    static let sampleRate = 16_000
    /// What the ABI promises to hold of a stream.
    static let waitingLimit = 2 * sampleRate

    private struct Stream {
        let report: VoiceActivityReport
        var waiting: [Int16] = []
        /// The place of the first waiting frame, counted from the stream's begin.
        var firstFrame: UInt64 = 0
        /// How often what was heard has been forgotten.
        var resets = 0
    }

    /// One window to judge.
    struct Work {
        let report: VoiceActivityReport
        let window: [Int16]
        let firstFrame: UInt64
        let resets: Int
    }

    func begin(_ report: VoiceActivityReport) throws(PluginFailure) {
        condition.lock()
        defer { condition.unlock() }
        guard !isClosed else { throw .wrongState("The detector has ended.") }
        guard streams.count < Self.openLimit else {
            throw .busy("too_many_streams", "\(Self.openLimit) streams are open; end one first.")
        }
        guard index(of: report.id) == nil else { throw .wrongState("A stream of this number is open.") }
        streams.append(Stream(report: report))
    }

    func push(_ samples: UnsafeBufferPointer<Int16>, to id: glasses_request_id) throws(PluginFailure) {
        condition.lock()
        defer { condition.unlock() }
        let index = try open(id)
        guard samples.count <= Self.waitingLimit - streams[index].waiting.count else {
            throw .busy("too_much_audio", "2 s of audio are waiting; push more when some of it was judged.")
        }
        streams[index].waiting += samples
        condition.signal()
    }

    func reset(_ id: glasses_request_id) throws(PluginFailure) {
        condition.lock()
        defer { condition.unlock() }
        let index = try open(id)
        streams[index].firstFrame += UInt64(streams[index].waiting.count)
        streams[index].waiting = []
        streams[index].resets += 1
    }

    /// Takes a stream out; nil when there is none.
    func remove(_ id: glasses_request_id) -> VoiceActivityReport? {
        condition.lock()
        defer { condition.unlock() }
        return index(of: id).map { streams.remove(at: $0).report }
    }

    /// The open streams.
    var openIds: Set<glasses_request_id> {
        condition.lock()
        defer { condition.unlock() }
        return Set(streams.map(\.report.id))
    }

    /// Whether the judgement of a window is still wanted.
    func isCurrent(_ work: Work) -> Bool {
        condition.lock()
        defer { condition.unlock() }
        return index(of: work.report.id).map { streams[$0].resets == work.resets } ?? false
    }

    /// Waits for a window; nil at the end.
    func next() -> Work? {
        condition.lock()
        defer { condition.unlock() }
        while !isClosed {
            if let index = streams.firstIndex(where: { $0.waiting.count >= SpeechDetector.windowFrames }) {
                // The others come before its next window.
                streams.append(streams.remove(at: index))
                return takeWindow(from: streams.count - 1)
            }
            condition.wait()
        }
        return nil
    }

    /// Ends the queue; reports that are let go tell the host.
    func close() -> [VoiceActivityReport] {
        condition.lock()
        defer { condition.unlock() }
        isClosed = true
        let open = streams.map(\.report)
        streams = []
        condition.broadcast()
        return open
    }

    private func takeWindow(from index: Int) -> Work {
        let stream = streams[index]
        let window = Array(stream.waiting.prefix(SpeechDetector.windowFrames))
        streams[index].waiting.removeFirst(window.count)
        streams[index].firstFrame += UInt64(window.count)
        return Work(
            report: stream.report, window: window, firstFrame: stream.firstFrame, resets: stream.resets)
    }

    private func index(of id: glasses_request_id) -> Int? { streams.firstIndex { $0.report.id == id } }

    private func open(_ id: glasses_request_id) throws(PluginFailure) -> Int {
        guard let index = index(of: id) else { throw .wrongState("No stream of this number is open.") }
        return index
    }
}
