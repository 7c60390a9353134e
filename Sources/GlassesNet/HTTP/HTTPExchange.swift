import GlassesWebSocket
import Synchronization

/// The head of a response.
struct HTTPHead: Sendable, Hashable {
    var status: Int
    var fields: HTTPFields
}

/// What the caller's side and the network thread's side of one HTTP transfer share.
final class HTTPExchange: Sendable {
    /// What the transfer has to send now.
    enum Upload: Equatable {
        case piece([UInt8])
        case empty
        case end
        case failed
    }

    private struct State {
        var waiter: CheckedContinuation<HTTPHead, any Error>?
        var outcome: Result<HTTPHead, any Error>?
        var isCancelled = false
        var upload: [[UInt8]] = []
        var uploadEnd: Upload?
        var uploader: CheckedContinuation<Bool, Never>?
        var source: Task<Void, Never>?
        var address: LoopAddress?
    }

    /// The response's body, behind a high-water mark.
    let body = DeliveryQueue<Result<[UInt8], NetworkError>>(highWater: NetworkLimits.inboundHighWater)
    private let state = Mutex(State())

    /// Tells where the transfer runs.
    func attach(_ address: LoopAddress) {
        let isCancelled = state.withLock { state in
            state.address = address
            return state.isCancelled
        }
        body.whenRoom { address.wake() }
        if isCancelled { address.wake() }
    }

    /// Waits for the head of the response.
    func head() async throws -> HTTPHead {
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let outcome = state.withLock { state in
                    if state.outcome == nil { state.waiter = continuation }
                    return state.outcome
                }
                if let outcome { continuation.resume(with: outcome) }
            }
        } onCancel: {
            cancel()
        }
    }

    /// Ends the transfer; nothing more is delivered.
    func cancel() {
        stopUpload()
        settle(.failure(CancellationError()))
        body.abandon()
        state.withLock { $0.address }?.wake()
    }

    /// Whether the caller has ended it.
    var isCancelled: Bool { state.withLock { $0.isCancelled } }

    /// Tells the head, or why there is none; only the first counts.
    func settle(_ outcome: Result<HTTPHead, any Error>) {
        let waiter = state.withLock { state -> CheckedContinuation<HTTPHead, any Error>? in
            guard state.outcome == nil else { return nil }
            state.outcome = outcome
            defer { state.waiter = nil }
            return state.waiter
        }
        waiter?.resume(with: outcome)
    }

    /// The transfer has ended.
    func end(_ error: NetworkError?) {
        if let error { settle(.failure(error)) }
        body.finish(error.map { .failure($0) })
        stopUpload()
    }

    private func stopUpload() {
        let (uploader, source) = state.withLock { state in
            state.isCancelled = true
            defer { (state.uploader, state.source) = (nil, nil) }
            return (state.uploader, state.source)
        }
        uploader?.resume(returning: false)
        source?.cancel()
    }
}

extension HTTPExchange {
    /// Sends what `next` gives, from a task that ends with the transfer.
    func upload(_ next: @escaping @Sendable () async throws -> [UInt8]?) {
        let source = Task {
            do {
                while let piece = try await next() {
                    guard await offer(piece) else { return }
                }
                endUpload(.end)
            } catch {
                endUpload(.failed)
            }
        }
        let isOver = state.withLock { state in
            state.source = source
            return state.isCancelled
        }
        if isOver { source.cancel() }
    }

    /// Hands over a piece of the request and waits until it was taken; false when no more is wanted.
    private func offer(_ piece: [UInt8]) async -> Bool {
        await withCheckedContinuation { continuation in
            let address = state.withLock { state -> LoopAddress? in
                guard !state.isCancelled else { return nil }
                state.upload.append(piece)
                state.uploader = continuation
                return state.address
            }
            if let address { address.wake() } else { continuation.resume(returning: false) }
        }
    }

    /// The request's body is complete, or its source has failed.
    private func endUpload(_ end: Upload) {
        let address = state.withLock { state in
            state.uploadEnd = end
            return state.address
        }
        address?.wake()
    }

    /// The next piece to send. The one who offered it may offer the next.
    func takeUpload() -> Upload {
        let (upload, uploader) = state.withLock { state -> (Upload, CheckedContinuation<Bool, Never>?) in
            guard !state.upload.isEmpty else { return (state.uploadEnd ?? .empty, nil) }
            defer { state.uploader = nil }
            return (.piece(state.upload.removeFirst()), state.uploader)
        }
        uploader?.resume(returning: true)
        return upload
    }
}
