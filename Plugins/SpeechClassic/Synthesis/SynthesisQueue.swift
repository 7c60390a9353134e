import CGlassesPlugin
import Foundation
import GlassesPluginKit

/// The texts that wait for one synthesiser, in order: calls put in, the engine's thread takes out.
final class SynthesisQueue: @unchecked Sendable {
    // because everything below is read and written under `condition`
    private let condition = NSCondition()
    private var jobs: [Job] = []
    private var isClosed = false

    /// What the ABI promises to accept, and no more: at most 4 MB of text.
    static let jobLimit = 64

    /// One text to speak.
    struct Job: Sendable {
        let request: SynthesisRequest
        let text: String
        let options: SpeechOptions
    }

    func add(_ job: Job) throws(PluginFailure) {
        condition.lock()
        defer { condition.unlock() }
        guard !isClosed else { throw .wrongState("The synthesiser has ended.") }
        guard jobs.count < Self.jobLimit else {
            throw .busy("too_many_texts", "\(Self.jobLimit) texts wait to be spoken; cancel some or wait.")
        }
        jobs.append(job)
        condition.signal()
    }

    /// Waits for the oldest text; nil at the end. It stays, and counts, until ``remove(_:)``.
    func next() -> Job? {
        condition.lock()
        defer { condition.unlock() }
        while !isClosed {
            if let job = jobs.first { return job }
            condition.wait()
        }
        return nil
    }

    /// Takes a text out; nil when it has ended already, which a caller cannot know.
    func remove(_ id: glasses_request_id) -> SynthesisRequest? {
        condition.lock()
        defer { condition.unlock() }
        guard let index = jobs.firstIndex(where: { $0.request.id == id }) else { return nil }
        return jobs.remove(at: index).request
    }

    /// Whether the text is still wanted.
    func isOpen(_ id: glasses_request_id) -> Bool {
        condition.lock()
        defer { condition.unlock() }
        return jobs.contains { $0.request.id == id }
    }

    /// Ends the queue and answers what waited.
    func close() -> [SynthesisRequest] {
        condition.lock()
        defer { condition.unlock() }
        isClosed = true
        let open = jobs.map(\.request)
        jobs = []
        condition.broadcast()
        return open
    }
}
