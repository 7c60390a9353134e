import GlassesDomain
import GlassesPipeline
import GlassesServer

/// One chat request that the pipeline's brain answers.
struct BrainChat {
    let brain: any PipelineBrain
    /// When the request came, in seconds since 1970.
    let created: Int

    /// Answers the request; `ended` is called once, when the answer is complete or given up. A brain that fails before its first word
    /// throws; later the stream tells it.
    func answer(
        _ chat: ChatRequest, _ conversation: ChatConversation, ended: @escaping @Sendable () -> Void
    ) async throws -> HTTPResponse {
        let work = BrainWork(brain: brain, conversation: conversation)
        do {
            // A stream is begun with its first words, an answer in one piece with its last.
            guard chat.isStreamed, let first = try await work.nextPiece() else {
                return try await whole(chat, work, ended)
            }
            return stream(first, work, chat, ended)
        } catch {
            ended()
            throw error
        }
    }

    private func whole(
        _ chat: ChatRequest, _ work: BrainWork, _ ended: @escaping @Sendable () -> Void
    ) async throws -> HTTPResponse {
        let made = try await form(work.everything())
        guard chat.isStreamed else {
            ended()
            return .json(made.completion)
        }
        return .events { writer in
            defer { ended() }
            for event in made.events(withUsage: chat.wantsUsage) { try await writer.write(event) }
        }
    }

    private func stream(
        _ first: BrainPiece, _ work: BrainWork, _ chat: ChatRequest, _ ended: @escaping @Sendable () -> Void
    ) -> HTTPResponse {
        let form = form(BrainReply(source: first.source))
        return .events { writer in
            defer { ended() }
            try await writer.write(form.opening)
            try await writer.write(form.words(first.speech))
            do {
                while let piece = try await work.nextPiece() { try await writer.write(form.words(piece.speech)) }
                var last = form
                last.reply = try await work.reply()
                for event in last.closing(withUsage: chat.wantsUsage) { try await writer.write(event) }
            } catch let error as BrainError {
                // The head has been sent, so the end can only be told as an event.
                try await writer.write(Self.broken(error))
            }
        }
    }

    private func form(_ reply: BrainReply) -> ChatReply {
        let source = reply.source
        let fallback = source?.isFallback == true ? "-fallback" : ""
        return ChatReply(
            id: PipelineConnector.randomId("chatcmpl-"), created: created, model: source?.model ?? brain.name,
            fingerprint: "extentos-\(source?.name ?? brain.name)" + fallback, reply: reply)
    }

    private static func broken(_ error: BrainError) -> String {
        let body: JSONValue = [
            "error": [
                "message": .string(error.message), "type": "server_error", "param": nil, "code": .string(error.code),
            ]
        ]
        return "data: \(body.jsonText)\n\n"
    }
}

/// A brain at work on one request; its pieces are taken by one task.
private final class BrainWork: Sendable {
    private let task: Task<Result<BrainReply, BrainError>, Never>
    private let pieces: AsyncStream<BrainPiece>
    private let allowsParallelCalls: Bool

    init(brain: any PipelineBrain, conversation: ChatConversation) {
        // As much as one answer has, which the brain bounds.
        let (pieces, continuation) = AsyncStream.makeStream(of: BrainPiece.self)
        self.pieces = pieces
        allowsParallelCalls = conversation.allowsParallelCalls
        task = Task {
            defer { continuation.finish() }
            let session = brain.makeSession()
            do throws(BrainError) {
                if !brain.canCompose {
                    for question in conversation.openQuestions { _ = try await session.reply(to: question) }
                }
                return .success(try await session.reply(to: conversation.request) { continuation.yield($0) })
            } catch {
                return .failure(error)
            }
        }
    }

    deinit { task.cancel() }

    /// The next words; nil when the rest comes with the reply. Cancelling the calling task ends the work.
    func nextPiece() async throws -> BrainPiece? {
        let piece = await withTaskCancellationHandler {
            for await piece in pieces { return Optional(piece) }
            return nil
        } onCancel: {
            task.cancel()
        }
        try Task.checkCancellation()
        return piece
    }

    /// All of the answer.
    func everything() async throws -> BrainReply {
        var speech = ""
        while let piece = try await nextPiece() { speech += piece.speech }
        var reply = try await reply()
        speech += reply.speech ?? ""
        reply.speech = speech.isEmpty ? nil : speech
        return reply
    }

    /// The end of the answer.
    func reply() async throws -> BrainReply {
        let outcome = await withTaskCancellationHandler {
            await task.value
        } onCancel: {
            task.cancel()
        }
        try Task.checkCancellation()
        var reply = try outcome.get()
        if !allowsParallelCalls { reply.calls = Array(reply.calls.prefix(1)) }
        return reply
    }
}

extension HTTPResponse {
    /// Events that `write` makes; a reader that leaves cancels it.
    fileprivate static func events(_ write: @escaping @Sendable (EventWriter) async throws -> Void) -> HTTPResponse {
        let stream = HTTPBodyStream()
        let writer = EventWriter(body: BodyWriter(stream))
        let task = Task {
            // The reader left, which ends the stream as well.
            do { try await write(writer) } catch { return }
            stream.finish()
        }
        stream.whenAbandoned { task.cancel() }
        return .eventStream(stream)
    }
}

/// Writes events as text.
private struct EventWriter: Sendable {
    let body: BodyWriter
    func write(_ event: String) async throws { try await body.write(Array(event.utf8)) }
}
