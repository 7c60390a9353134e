import GlassesDomain
import Synchronization

/// A brain behind an endpoint of the OpenAI chat API: `llama-server`, a gateway of ours, or a service.
///
/// The conversation goes there with each request, the answer is passed on sentence by sentence, and what the model thinks aloud
/// (`<think>`) is left out. It has no memory of its own. Cancelling a request closes its connection at once. For the rules behind it
/// see ``FallbackBrain``.
public struct ChatBrain: PipelineBrain {
    /// `chat`.
    public let name = "chat"
    /// A model follows instructions.
    public let canCompose = true
    /// Pictures are shown to the model, or it is told what was measured of them.
    public let acceptsImages = true
    /// Whether the model is shown them.
    public let seesImages: Bool

    fileprivate let transport: ChatTransport
    fileprivate let model: String?
    fileprivate let clock: ClockPort
    fileprivate let limits: ChatBrainLimits
    fileprivate let meter: PictureMeter

    /// A brain at the end of `transport`. A `model` of nil leaves the choice to the endpoint. `pictures` opens pictures to measure them
    /// for a model that does not see.
    public init(
        transport: ChatTransport, model: String? = nil, seesImages: Bool = false, clock: ClockPort,
        pictures: (any PictureCoder)? = nil, limits: ChatBrainLimits = ChatBrainLimits()
    ) {
        self.transport = transport
        self.model = model
        self.seesImages = seesImages
        self.clock = clock
        self.limits = limits
        meter = PictureMeter(coder: pictures)
    }

    /// Begins a conversation, of which the brain keeps nothing.
    public func makeSession() -> any PipelineBrainSession { ChatSession(brain: self) }
}

private struct ChatSession: PipelineBrainSession {
    let brain: ChatBrain

    func reply(to request: BrainRequest) async throws(BrainError) -> BrainReply {
        let said = SpeechSoFar()
        var reply = try await reply(to: request) { piece in said.append(piece.speech) }
        let speech = said.text + (reply.speech ?? "")
        reply.speech = speech.isEmpty ? nil : speech
        return reply
    }

    func reply(
        to request: BrainRequest, speak: @escaping @Sendable (BrainPiece) -> Void
    ) async throws(BrainError) -> BrainReply {
        let end = brain.clock.now().advanced(by: brain.limits.whole)
        let exchange = ChatExchange(brain: brain, speak: speak)
        let outcome = await withTaskGroup(of: Result<BrainReply, BrainError>?.self) { group in
            group.addTask { await exchange.outcome(of: request) }
            group.addTask { [clock = brain.clock] in
                // Only the end of the exchange, or of the whole request, ends the wait early.
                do { try await clock.sleepUntil(end) } catch { return nil }
                return .failure(.late)
            }
            defer { group.cancelAll() }
            for await outcome in group { if let outcome { return outcome } }
            return .failure(.cancelled)
        }
        return try outcome.get()
    }
}

/// One request and its answer.
private struct ChatExchange: Sendable {
    let brain: ChatBrain
    let speak: @Sendable (BrainPiece) -> Void

    func outcome(of request: BrainRequest) async -> Result<BrainReply, BrainError> {
        do throws(BrainError) { return .success(try await answer(request)) } catch { return .failure(error) }
    }

    private func answer(_ request: BrainRequest) async throws(BrainError) -> BrainReply {
        let messages = ChatMessages.of(
            request, meter: brain.meter, seesPictures: brain.seesImages, limit: brain.limits.historyCharacters)
        let body = ChatRequestBody.json(of: request, model: brain.model, messages: messages)
        let patience = ChatPatience(head: brain.limits.firstByte, silence: brain.limits.silence)
        let stream = try await brain.transport.post(Array(body.jsonText.utf8), patience)
        guard stream.status == 200 else {
            var error = BrainError.refused(stream.status)
            error.retryAfter = stream.retryAfter
            throw error
        }
        var answer = ChatAnswer(limits: brain.limits)
        let hasSpoken = try await read(stream, into: &answer)
        // The end of a body that nobody waits for looks like its end.
        if Task.isCancelled { throw .cancelled }
        var reply = try answer.finish(hasSpoken: hasSpoken)
        reply.source = source(of: answer)
        return reply
    }

    /// Reads the answer to its end and passes its sentences on; whether there were any.
    private func read(_ stream: ChatAnswerStream, into answer: inout ChatAnswer) async throws(BrainError) -> Bool {
        var events = ServerSentEvents(limit: brain.limits.lineBytes)
        var (whole, count, hasSpoken) = ([UInt8](), 0, false)
        func pass(_ sentences: String?) {
            guard let sentences else { return }
            hasSpoken = true
            speak(BrainPiece(speech: sentences, source: source(of: answer)))
        }
        do {
            while !answer.isDone, let bytes = try await stream.next() {
                count += bytes.count
                guard count <= brain.limits.streamBytes else { throw BrainError.unusable("sent too much") }
                guard stream.isEventStream else {
                    whole += bytes
                    continue
                }
                for event in try events.take(bytes) where !answer.isDone && !Task.isCancelled {
                    pass(try answer.take(event: event))
                }
            }
            if Task.isCancelled || answer.isDone { return hasSpoken }
            if !stream.isEventStream {
                pass(try answer.take(whole: whole))
            } else if let event = try events.finish() {
                pass(try answer.take(event: event))
            }
        } catch let error as BrainError {
            // What came after the end of the answer is no part of it.
            if answer.hasEnd { return hasSpoken }
            throw error
        } catch {
            throw .unusable("sent a line that is too long")
        }
        return hasSpoken
    }

    private func source(of answer: ChatAnswer) -> BrainSource {
        BrainSource(name: brain.name, model: answer.model ?? brain.model ?? brain.name)
    }
}

/// The sentences of an answer that is wanted whole.
private final class SpeechSoFar: Sendable {
    private let words = Mutex("")
    var text: String { words.withLock { $0 } }
    func append(_ speech: String) { words.withLock { $0 += speech } }
}
