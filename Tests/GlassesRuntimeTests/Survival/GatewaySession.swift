import GlassesDomain
import GlassesRealtime
import Synchronization

/// What all sessions of a gateway share: ids that no restart repeats, and what clients did wrong.
final class GatewayRecord: Sendable {
    private let storage = Mutex<(violations: [String], ids: Int)>(([], 0))

    /// What clients did that a gateway does not take.
    var violations: [String] { storage.withLock { $0.violations } }

    func violate(_ what: String) { storage.withLock { $0.violations.append(what) } }

    func newID(_ prefix: String) -> String {
        storage.withLock { storage in
            storage.ids += 1
            return "\(prefix)_\(storage.ids)"
        }
    }
}

/// One session of a realtime gateway as the protocol has it: a conversation that begins empty, a buffer with a detector of speech,
/// words that come a while after the speech, and answers that take time. It knows of the user only what it is sent.
///
/// Times are milliseconds; ``take(until:)`` gives what it says by then, in order.
final class GatewaySession {
    /// From the end of an utterance to its words, to the begin of an answer, and between the events of an answer.
    private enum Delay {
        static let transcript = 240
        static let answer = 90
        static let event = 30
    }

    let script: ConversationScript
    let record: GatewayRecord
    private let vocabulary: [String: [Int16]]
    private var now = 0
    private var saying: [(due: Int, event: ServerEvent)] = []
    private var session = RealtimeSession(id: "sess_1", model: "script")
    private var isConfigured = false

    private var items: [ConversationItem] = []
    /// Items that wait for their words, with the moment when those are there.
    private var transcribing: [(itemID: String, words: String, due: Int)] = []
    private var response: (id: String, metadata: [String: String]?, beginsAt: Int, isSpoken: Bool)?
    private var detector = GatewayDetector()

    init(script: ConversationScript, record: GatewayRecord, vocabulary: [String: [Int16]], at now: Int) {
        self.script = script
        self.record = record
        self.vocabulary = vocabulary
        self.now = now
        saying.append((now, .sessionCreated(session)))
    }

    // MARK: - Time

    /// What the gateway says until a moment.
    func take(until moment: Int) -> [ServerEvent] {
        now = moment
        finishTranscripts()
        beginAnswer()
        let due = saying.filter { $0.due <= moment }
        saying.removeAll { $0.due <= moment }
        for (_, event) in due {
            if case .responseDone(let done) = event, done.id == response?.id { response = nil }
        }
        return due.map(\.event)
    }

    private func say(_ event: ServerEvent, after delay: Int = 0) { saying.append((now + delay, event)) }

    private func finishTranscripts() {
        for done in transcribing where done.due <= now {
            if let index = items.firstIndex(where: { $0.id == done.itemID }) {
                items[index].body = .message(
                    MessageItem(role: .user, content: [.inputAudio(audio: nil, transcript: done.words)]))
            }
            say(
                .inputAudioTranscriptionCompleted(
                    TranscriptionCompleted(
                        itemId: done.itemID, transcript: done.words, usage: .duration(seconds: 1))))
        }
        transcribing.removeAll { $0.due <= now }
    }

    // MARK: - The client

    func receive(_ bytes: [UInt8], at moment: Int) {
        now = moment
        let message: Identified<ClientEvent>
        do {
            message = try RealtimeCodec.decodeClientEvent(bytes)
        } catch {
            return violate("undecodable: \(error.message)")
        }
        if !isConfigured, case .sessionUpdate = message.event {
        } else if !isConfigured {
            violate("\(message.event.type) before the session was accepted")
        }
        switch message.event {
        case .sessionUpdate(let update):
            if case .success(let next) = session.applying(update) { session = next }
            isConfigured = true
            say(.sessionUpdated(session), after: 20)
        case .inputAudioBufferAppend(let audio): hear(PCMBlock.samples(littleEndian: audio))
        case .conversationItemCreate(let creation): add(creation.item)
        case .responseCreate(let parameters): request(parameters, eventID: message.eventId)
        case .responseCancel(let id): if id == response?.id { cancelAnswer() }
        case .conversationItemTruncate, .conversationItemDelete, .inputAudioBufferClear, .inputAudioBufferCommit,
            .outputAudioBufferClear, .conversationItemRetrieve, .unknown:
            break
        }
    }

    private func violate(_ what: String) { record.violate(what) }

    private func add(_ item: ConversationItem) {
        guard let id = item.id, !items.contains(where: { $0.id == id }) else {
            return violate("an item twice, or without id")
        }
        switch item.body {
        case .functionCallOutput(let output):
            let isCalled = items.contains {
                if case .functionCall(let call) = $0.body { call.callId == output.callId } else { false }
            }
            if !isCalled { violate("an output without its call") }
        case .message(let message):
            if case .inputAudio(let audio, nil)? = message.content.first {
                transcribe(id, PCMBlock.samples(littleEndian: audio ?? []))
            }
        default: break
        }
        append(item)
    }

    private func append(_ item: ConversationItem) {
        let previous = items.last?.id
        items.append(item)
        say(.conversationItemAdded(ItemPlacement(item: item, previousItemId: previous)), after: 10)
    }

    private func transcribe(_ itemID: String, _ audio: [Int16]) {
        let words = SpokenWords.words(in: audio, vocabulary: vocabulary)
        transcribing.append((itemID, words, now + Delay.transcript))
    }

    // MARK: - The user

    private func hear(_ samples: [Int16]) {
        for finding in detector.process(samples) {
            switch finding {
            case .started(let milliseconds):
                cancelAnswer()
                let id = record.newID("item")
                detector.itemID = id
                say(.inputAudioBufferSpeechStarted(SpeechStarted(itemId: id, audioStartMs: milliseconds)))
            case .stopped(let milliseconds, let audio):
                let id = detector.itemID
                say(.inputAudioBufferSpeechStopped(SpeechStopped(itemId: id, audioEndMs: milliseconds)))
                say(.inputAudioBufferCommitted(BufferCommitted(itemId: id, previousItemId: items.last?.id)), after: 5)
                append(
                    ConversationItem(
                        id: id, status: .completed,
                        body: .message(MessageItem(role: .user, content: [.inputAudio(audio: nil, transcript: nil)]))))
                transcribe(id, audio)
                open(metadata: nil)
            }
        }
    }

    // MARK: - Answers

    private func request(_ parameters: ResponseParameters?, eventID: String?) {
        guard response == nil else {
            violate("an answer asked for while one was active")
            let code = "conversation_already_has_active_response"
            return say(.error(RealtimeErrorInfo(message: "Wait for the answer.", code: code, eventId: eventID)))
        }
        open(metadata: parameters?.metadata)
    }

    private func open(metadata: [String: String]?) {
        cancelAnswer()
        let id = record.newID("resp")
        response = (id, metadata, now + Delay.answer, false)
        say(
            .responseCreated(
                RealtimeResponse(id: id, status: .inProgress, conversationId: "conv", metadata: metadata)),
            after: Delay.event)
    }

    private func cancelAnswer() {
        guard let id = response?.id else { return }
        saying.removeAll { $0.event.belongs(toResponse: id) && $0.due > now }
        say(.responseDone(RealtimeResponse(id: id, status: .cancelled, conversationId: "conv")))
        response = nil
    }

    /// Begins to say the answer as soon as all words of the user are known.
    private func beginAnswer() {
        guard let response, !response.isSpoken, response.beginsAt <= now, transcribing.isEmpty else { return }
        self.response?.isSpoken = true
        guard let last = items.lastIndex(where: { $0.userText != nil }), let text = items[last].userText else {
            return violate("an answer to nothing")
        }
        let since = items[last...]
        guard let turn = script.turns.first(where: { $0.user == text }) else {
            violate("not in the script: \(text)")
            return speak("what was that", response.id)
        }
        let isDone = since.contains { $0.assistantText == turn.answer }
        if isDone { violate("asked again: \(text)") }
        let (called, answered) = (since.compactMap(\.call), since.compactMap(\.answeredCallID))
        if called.contains(where: { !answered.contains($0.callId) }) { violate("an answer while a call was open") }
        let left = turn.calls.filter { call in
            !called.contains { $0.name == call.tool && $0.arguments == call.arguments }
        }
        if left.isEmpty { speak(turn.answer, response.id) } else { call(left, response.id) }
    }

    private func call(_ calls: [ConversationScript.Call], _ responseID: String) {
        var delay = 0
        var output: [ConversationItem] = []
        for call in calls {
            let item = ConversationItem(
                id: record.newID("item"), status: .completed,
                body: .functionCall(
                    FunctionCallItem(name: call.tool, arguments: call.arguments, callId: record.newID("call"))))
            output.append(item)
            delay += 4 * Delay.event
            let previous = items.last?.id
            items.append(item)
            say(.responseOutputItemAdded(OutputItem(responseId: responseID, item: item)), after: delay - Delay.event)
            say(.conversationItemAdded(ItemPlacement(item: item, previousItemId: previous)), after: delay - Delay.event)
            say(.responseOutputItemDone(OutputItem(responseId: responseID, item: item)), after: delay)
        }
        let done = RealtimeResponse(id: responseID, status: .completed, output: output, conversationId: "conv")
        say(.responseDone(done), after: delay + Delay.event)
    }

    /// Four times as fast as it is heard.
    private func speak(_ text: String, _ responseID: String) {
        let id = record.newID("item")
        let place = PartReference(responseId: responseID, itemId: id)
        let message = ConversationItem(
            id: id, status: .completed, body: .message(MessageItem(role: .assistant, content: [.outputText(text)])))
        let previous = items.last?.id
        items.append(message)
        say(.responseOutputItemAdded(OutputItem(responseId: responseID, item: message)))
        say(.conversationItemAdded(ItemPlacement(item: message, previousItemId: previous)))
        var delay = 0
        for (index, word) in text.split(separator: " ").enumerated() {
            delay += 2 * Delay.event
            say(
                .responseOutputAudioTranscriptDelta(
                    OutputText(place: place, text: index == 0 ? "\(word)" : " \(word)")),
                after: delay)
            let audio = [UInt8](repeating: 1, count: 240 * 48)
            say(.responseOutputAudioDelta(OutputAudio(place: place, audio: audio)), after: delay + 10)
        }
        delay += Delay.event
        say(.responseOutputAudioDone(OutputAudioDone(place: place)), after: delay)
        say(.responseOutputAudioTranscriptDone(OutputText(place: place, text: text)), after: delay)
        say(.responseOutputItemDone(OutputItem(responseId: responseID, item: message)), after: delay)
        let done = RealtimeResponse(id: responseID, status: .completed, output: [message], conversationId: "conv")
        say(.responseDone(done), after: delay + Delay.event)
    }
}

extension ServerEvent {
    fileprivate func belongs(toResponse id: String) -> Bool {
        switch self {
        case .responseCreated(let response), .responseDone(let response): response.id == id
        case .responseOutputItemAdded(let output), .responseOutputItemDone(let output): output.responseId == id
        case .responseOutputAudioTranscriptDelta(let text), .responseOutputAudioTranscriptDone(let text):
            text.place.responseId == id
        case .responseOutputAudioDelta(let audio): audio.place.responseId == id
        case .responseOutputAudioDone(let done): done.place.responseId == id
        default: false
        }
    }
}

extension ConversationItem {
    /// The words of a user's message, nil for anything else.
    fileprivate var userText: String? {
        guard case .message(let message) = body, message.role == .user else { return nil }
        return message.content.first?.text
    }

    fileprivate var call: FunctionCallItem? {
        if case .functionCall(let call) = body { call } else { nil }
    }

    fileprivate var answeredCallID: String? {
        if case .functionCallOutput(let output) = body { output.callId } else { nil }
    }

    fileprivate var assistantText: String? {
        guard case .message(let message) = body, message.role == .assistant else { return nil }
        return message.content.first?.text
    }
}
