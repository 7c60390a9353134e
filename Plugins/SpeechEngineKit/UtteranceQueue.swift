package import CGlassesPlugin
package import Foundation
package import GlassesPluginKit

/// The open utterances of one recogniser, in the order of their beginning: calls put in, the engine's thread takes out.
package final class UtteranceQueue: @unchecked Sendable {
    // because everything below is read and written under `condition`
    private let condition = NSCondition()
    private var utterances: [Utterance] = []
    private var waitingFrames = 0
    private var isClosed = false

    /// What the ABI promises to keep open, and no more: each holds audio.
    package static let openLimit = 8
    /// What the ABI promises to hold, over all open utterances; 1.9 MB.
    package static let waitingFramesLimit = 60 * sampleRate
    /// The rate of the models.
    package static let sampleRate = 16_000
    /// The most that the engine takes at once, 100 ms: a cancelled utterance costs at most the work on this much.
    package static let sliceFrames = sampleRate / 10

    /// An empty queue.
    package init() {}

    private struct Utterance {
        let request: RecognitionRequest
        var slices: [[Int16]] = []
        var firstSlice = 0
        var frames = 0
        var isFinished = false

        mutating func takeSlice() -> [Int16]? {
            guard firstSlice < slices.count else { return nil }
            let slice = slices[firstSlice]
            slices[firstSlice] = []
            firstSlice += 1
            frames -= slice.count
            if firstSlice == slices.count {
                slices.removeAll(keepingCapacity: true)
                firstSlice = 0
            }
            return slice
        }
    }

    /// What the engine's thread does next.
    package enum Work {
        /// The next 100 ms, or less before a gap.
        case slice([Int16], RecognitionRequest)
        /// All of the utterance was handed out.
        case complete(RecognitionRequest)
        /// No work came before the limit.
        case none
        /// The queue has ended.
        case closed
    }

    /// Opens an utterance; throws `BUSY` when ``openLimit`` are open. [any]
    package func begin(_ request: RecognitionRequest) throws(PluginFailure) {
        condition.lock()
        defer { condition.unlock() }
        guard !isClosed else { throw .wrongState("The recogniser has ended.") }
        guard utterances.count < Self.openLimit else {
            throw .busy("too_many_utterances", "\(Self.openLimit) utterances are open; finish or cancel one first.")
        }
        guard index(of: request.id) == nil else { throw .wrongState("An utterance of this number is open.") }
        utterances.append(Utterance(request: request))
    }

    /// Takes a copy of audio at ``sampleRate``; throws `BUSY` with nothing taken when 60 s are waiting. [any]
    package func push(_ samples: UnsafeBufferPointer<Int16>, to id: glasses_request_id) throws(PluginFailure) {
        condition.lock()
        defer { condition.unlock() }
        let index = try unfinished(id)
        guard samples.count <= Self.waitingFramesLimit - waitingFrames else {
            throw .busy("too_much_audio", "60 s of audio are waiting; push more when some of it was worked off.")
        }
        for start in stride(from: 0, to: samples.count, by: Self.sliceFrames) {
            let end = min(start + Self.sliceFrames, samples.count)
            utterances[index].slices.append(Array(samples[start..<end]))
        }
        utterances[index].frames += samples.count
        waitingFrames += samples.count
        condition.signal()
    }

    /// The utterance is complete. [any]
    package func finish(_ id: glasses_request_id) throws(PluginFailure) {
        condition.lock()
        defer { condition.unlock() }
        utterances[try unfinished(id)].isFinished = true
        condition.signal()
    }

    /// Takes an utterance out; nil when it has ended already, which a caller cannot know. [any]
    package func remove(_ id: glasses_request_id) -> RecognitionRequest? {
        condition.lock()
        defer { condition.unlock() }
        guard let index = index(of: id) else { return nil }
        let removed = utterances.remove(at: index)
        waitingFrames -= removed.frames
        condition.signal()
        return removed.request
    }

    /// Whether the utterance is still wanted. [any]
    package func isOpen(_ id: glasses_request_id) -> Bool {
        condition.lock()
        defer { condition.unlock() }
        return index(of: id) != nil
    }

    /// Waits for work on the oldest utterance, until the limit if there is one. The utterance stays open, and counts,
    /// until ``remove(_:)``.
    package func next(until limit: Date? = nil) -> Work {
        condition.lock()
        defer { condition.unlock() }
        while !isClosed {
            if !utterances.isEmpty {
                if let slice = utterances[0].takeSlice() {
                    waitingFrames -= slice.count
                    return .slice(slice, utterances[0].request)
                }
                if utterances[0].isFinished { return .complete(utterances[0].request) }
            }
            guard let limit else {
                condition.wait()
                continue
            }
            if !condition.wait(until: limit) { return .none }
        }
        return .closed
    }

    /// Ends the queue and answers what was open. [any]
    package func close() -> [RecognitionRequest] {
        condition.lock()
        defer { condition.unlock() }
        isClosed = true
        let open = utterances.map(\.request)
        utterances = []
        waitingFrames = 0
        condition.broadcast()
        return open
    }

    private func index(of id: glasses_request_id) -> Int? { utterances.firstIndex { $0.request.id == id } }

    private func unfinished(_ id: glasses_request_id) throws(PluginFailure) -> Int {
        guard let index = index(of: id), !utterances[index].isFinished else {
            throw .wrongState("No utterance of this number is open for audio.")
        }
        return index
    }
}
