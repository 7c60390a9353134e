import GlassesDomain
import GlassesRealtime
import Synchronization

@testable import GlassesPipeline

/// Ids that count up per prefix: `item_1`, `item_2`, `resp_1`.
final class CountingIds: Sendable {
    private let counts = Mutex<[String: Int]>([:])

    func next(_ prefix: String) -> String {
        counts.withLock { counts in
            counts[prefix, default: 0] += 1
            return prefix + String(counts[prefix, default: 0])
        }
    }
}

/// A machine with a record of what it did; time stands still unless a test moves it.
struct MachineRig {
    var machine: PipelineMachine
    /// Everything the machine sent.
    private(set) var sent: [ServerEvent] = []
    /// Everything the machine started.
    private(set) var work: [PipelineActions.Work] = []
    /// Everything the machine told of.
    private(set) var notices: [PipelineNotice] = []
    /// The time of the next facts.
    var now = MonotonicTime.zero

    static let fullProfile = PipelineProfile(
        model: "local", canRecognize: true, canSynthesize: true, acceptsImages: false, voice: "slt")

    init(profile: PipelineProfile = fullProfile) {
        let ids = CountingIds()
        machine = PipelineMachine(profile: profile) { ids.next($0) }
    }

    /// Forgets what was started before `index`, or everything.
    mutating func forgetWork(before index: Int = .max) { work.removeFirst(min(index, work.count)) }

    /// Applies a fact and gives the types of the events that it led to.
    @discardableResult
    mutating func apply(_ input: PipelineInput) -> [String] {
        let actions = machine.apply(input, at: now)
        sent += actions.events.map(\.event)
        work += actions.work
        notices += actions.notices
        return actions.events.map(\.event.type)
    }

    @discardableResult
    mutating func client(_ event: ClientEvent, id: String? = nil) -> [String] {
        apply(.received(Identified(event, eventId: id)))
    }

    /// Changes the session as a client does.
    @discardableResult
    mutating func update(_ change: (inout SessionUpdate) -> Void) -> [String] {
        var update = SessionUpdate()
        update.type = .realtime
        change(&update)
        return client(.sessionUpdate(update))
    }

    /// Writes microphone audio.
    @discardableResult
    mutating func hear(_ samples: [Int16]) -> [String] {
        client(.inputAudioBufferAppend(audio: PCMBlock(samples: samples, sampleRate: 24_000).littleEndianBytes))
    }

    /// A spoken turn up to its commit; gives the item's id.
    @discardableResult
    mutating func speak() -> String {
        hear(Sound.silence(ms: 300))
        hear(Sound.speech(ms: 800))
        hear(Sound.silence(ms: 900))
        return lastCommitted ?? ""
    }

    /// Makes the sentence that is being synthesised complete, with 24 kHz audio of some length.
    @discardableResult
    mutating func synthesize(ms: Int) -> [String] {
        guard let sentence = lastSentence else { return [] }
        return apply(.audioSynthesized(sentence, Sound.silence(ms: ms))) + apply(.synthesisFinished(sentence))
    }

    var lastCommitted: String? {
        sent.reversed().lazy.compactMap {
            if case .inputAudioBufferCommitted(let event) = $0 { event.itemId } else { nil }
        }
        .first
    }

    var lastSentence: SentenceID? {
        work.reversed().lazy.compactMap { if case .synthesize(let id, _, _, _) = $0 { id } else { nil } }.first
    }

    var spokenTexts: [String] {
        work.compactMap { if case .synthesize(_, let text, _, _) = $0 { text } else { nil } }
    }

    /// The last request to the brain, with its response.
    var lastThought: (responseId: String, request: BrainRequest)? {
        work.reversed().lazy.compactMap { work -> (String, BrainRequest)? in
            if case .think(let id, let request, _) = work { (id, request) } else { nil }
        }.first
    }

    var lastError: RealtimeErrorInfo? {
        sent.reversed().lazy.compactMap { if case .error(let info) = $0 { info } else { nil } }.first
    }

    var lastResponse: RealtimeResponse? {
        sent.reversed().lazy.compactMap { if case .responseDone(let response) = $0 { response } else { nil } }.first
    }

    /// Answers the brain's last request.
    @discardableResult
    mutating func reply(_ speech: String? = nil, calls: [BrainFunctionCall] = []) -> [String] {
        guard let thought = lastThought else { return [] }
        return apply(.brainReplied(responseId: thought.responseId, BrainReply(speech: speech, calls: calls)))
    }
}

extension MachineRig {
    /// Has one sentence spoken as the only answer of the conversation; its item is `item_1` in a fresh rig.
    mutating func answerAloud(_ text: String = "One two three four five.", ms: Int) {
        client(.responseCreate(nil))
        reply(text)
        synthesize(ms: ms)
    }

    /// The words of the conversation, one entry an item.
    var texts: [String] { machine.conversation.entries.map(\.text) }
}
