/// What an answer is asked for.
public enum AnswerPurpose: Sendable, Hashable {
    /// To go on after the results of tools, a typed turn, an answer that a lost connection took, or an utterance.
    case conversation
    /// To greet by a directive, inside the conversation.
    case greeting(directive: String)
    /// To speak a text word for word, outside the conversation.
    case say(text: String)
    /// To greet by a directive, outside the conversation.
    case greetAside(directive: String)

    var isOutOfBand: Bool {
        switch self {
        case .conversation, .greeting: false
        case .say, .greetAside: true
        }
    }
}

/// A wish for an answer that waits at the gate.
public struct AnswerWish: Sendable, Hashable {
    /// What for.
    public var purpose: AnswerPurpose
    /// The call of the app that waits for it.
    public var operation: OperationID?
    /// Items sent for it that the provider has not acknowledged yet.
    public var unacknowledgedItems: Set<String>
    /// Whether the user's voice does not cut the answer; only outside the conversation.
    public var isProtected: Bool

    /// A wish.
    public init(
        purpose: AnswerPurpose, operation: OperationID? = nil, unacknowledgedItems: Set<String> = [],
        isProtected: Bool = false
    ) {
        self.isProtected = isProtected
        self.purpose = purpose
        self.operation = operation
        self.unacknowledgedItems = unacknowledgedItems
    }
}

/// Reasons to ask for no answer for now.
public struct GateHold: OptionSet, Sendable, Hashable {
    /// The bits.
    public let rawValue: Int
    /// Holds with the given bits.
    public init(rawValue: Int) { self.rawValue = rawValue }

    /// No accepted connection.
    public static let disconnected = GateHold(rawValue: 1)
    /// The user is speaking.
    public static let userSpeaking = GateHold(rawValue: 2)
    /// The provider is about to answer an utterance by itself.
    public static let serverAnswerExpected = GateHold(rawValue: 4)
    /// Nobody would hear it.
    public static let deviceLost = GateHold(rawValue: 8)
    /// A request was refused because of an answer that we don't see; wait a little.
    public static let refused = GateHold(rawValue: 16)
}

/// What the gate learns.
public enum GateInput: Sendable, Hashable {
    case wished(AnswerWish)
    case holdBegan(GateHold)
    case holdEnded(GateHold)
    /// The provider put an item into the conversation.
    case itemAcknowledged(itemID: String)
    /// The provider began an answer; `requestID` is the event id in its metadata.
    case created(responseID: String, requestID: String?, isOutOfBand: Bool)
    /// The provider ended an answer.
    case ended(responseID: String)
    /// The provider refused a request.
    case refused(requestID: String, isActiveResponse: Bool)
    /// The call of the app that waits for a wish has ended otherwise.
    case withdrawn(OperationID)
    /// The app silenced the assistant: nothing that waits is wanted any more.
    case silenced
    /// The connection is gone, and what it was doing with it.
    case connectionLost
    /// The session sleeps or ends.
    case closed
}

/// What the gate decides.
public enum GateAction: Sendable, Hashable {
    /// Ask the provider now; `requestID` is the command's event id.
    case request(requestID: String, AnswerWish)
    /// The wish is being answered.
    case grant(AnswerWish)
    /// The wish will not be answered.
    case drop(AnswerWish)
    /// End the hold `refused` a little later.
    case retryLater
}

/// Lets one request for an answer through at a time, and none while an answer is active.
///
/// Wishes inside the conversation melt into one; those outside wait in order. The gate needs no clock.
public struct ResponseGate: Sendable, Hashable {
    /// More texts than an app can usefully have queued to be spoken; each is a waiting call.
    public static let limit = 32

    private struct InFlight: Sendable, Hashable {
        var requestID: String
        var wish: AnswerWish
    }

    private var holds: GateHold = [.disconnected]
    private var active: Set<String> = []
    private var inFlight: InFlight?
    /// A request that was taken to be answered although the answer did not say so; its refusal may still come.
    private var presumed: InFlight?
    private var waiting: [AnswerWish] = []
    private var requests = 0

    /// An empty, disconnected gate.
    public init() {}

    /// The event id of the request that the provider has not answered yet.
    public var requestInFlight: String? { inFlight?.requestID }
    /// Whether a refusal of this request would still mean something.
    public func awaitsVerdict(on requestID: String) -> Bool {
        inFlight?.requestID == requestID || presumed?.requestID == requestID
    }
    /// Whether an answer was asked for, or will be as soon as nothing holds it.
    public var hasWish: Bool { inFlight != nil || !waiting.isEmpty }
    /// Whether the provider is working on an answer.
    public var isAnswering: Bool { !active.isEmpty || inFlight != nil }
    /// The answers that the provider has begun and not ended, in ascending order of their ids.
    public var activeAnswers: [String] { active.sorted() }
    /// Whether the gate is held for a reason.
    public func isHeld(_ hold: GateHold) -> Bool { holds.contains(hold) }

    /// Applies a fact and lets through what may go.
    public mutating func apply(_ input: GateInput) -> [GateAction] {
        var actions: [GateAction] = []
        switch input {
        case .wished(let wish): add(wish, to: &actions)
        case .holdBegan(let hold):
            holds.formUnion(hold)
            if hold.contains(.userSpeaking) { dropGreeting(to: &actions) }
        case .holdEnded(let hold): holds.subtract(hold)
        case .itemAcknowledged(let id):
            for index in waiting.indices { waiting[index].unacknowledgedItems.remove(id) }
        case .created(let id, let requestID, let isOutOfBand):
            begin(id, requestID: requestID, isOutOfBand: isOutOfBand, to: &actions)
        case .ended(let id):
            active.remove(id)
            holds.remove(.refused)
        case .refused(let requestID, let isActive): refuse(requestID, isActiveResponse: isActive, to: &actions)
        case .withdrawn(let operation): withdraw(operation)
        case .silenced: dropWaiting(to: &actions)
        case .connectionLost: loseConnection()
        case .closed: close(to: &actions)
        }
        letThrough(&actions)
        return actions
    }

    private mutating func add(_ wish: AnswerWish, to actions: inout [GateAction]) {
        guard !wish.purpose.isOutOfBand else {
            if waiting.count < Self.limit { waiting.append(wish) } else { actions.append(.drop(wish)) }
            return
        }
        guard let index = waiting.firstIndex(where: { !$0.purpose.isOutOfBand }) else {
            waiting.append(wish)
            return
        }
        // Whatever was said meanwhile is worth more than a greeting.
        if waiting[index].purpose != wish.purpose { waiting[index].purpose = .conversation }
        waiting[index].unacknowledgedItems.formUnion(wish.unacknowledgedItems)
    }

    private mutating func begin(
        _ id: String, requestID: String?, isOutOfBand: Bool, to actions: inout [GateAction]
    ) {
        active.insert(id)
        if let flight = inFlight, isOurs(flight, requestID: requestID, isOutOfBand: isOutOfBand) {
            inFlight = nil
            presumed = requestID == nil ? flight : nil
            actions.append(.grant(flight.wish))
            return
        }
        guard !isOutOfBand else { return }
        holds.remove(.serverAnswerExpected)
        // The provider answers by itself, and everything that the wish is about was in the conversation before: it is
        // answered. A wish whose items were not acknowledged yet stays, or its results would never be spoken of.
        waiting.removeAll { wish in
            guard !wish.purpose.isOutOfBand, wish.unacknowledgedItems.isEmpty else { return false }
            actions.append(.grant(wish))
            return true
        }
    }

    /// A provider that gives no metadata back is taken to answer the request, unless it owes an answer of its own.
    private func isOurs(_ flight: InFlight, requestID: String?, isOutOfBand: Bool) -> Bool {
        if let requestID { return requestID == flight.requestID }
        return flight.wish.purpose.isOutOfBand == isOutOfBand && !holds.contains(.serverAnswerExpected)
    }

    private mutating func refuse(_ requestID: String, isActiveResponse: Bool, to actions: inout [GateAction]) {
        guard let flight = takeRefused(requestID) else { return }
        guard isActiveResponse else {
            actions.append(.drop(flight.wish))
            return
        }
        keep(flight.wish)
        if active.isEmpty {
            holds.insert(.refused)
            actions.append(.retryLater)
        }
    }

    /// The refused request; the call of one that was presumed answered has ended already.
    private mutating func takeRefused(_ requestID: String) -> InFlight? {
        if inFlight?.requestID == requestID {
            defer { inFlight = nil }
            return inFlight
        }
        guard var flight = presumed, flight.requestID == requestID else { return nil }
        presumed = nil
        flight.wish.operation = nil
        return flight
    }

    private mutating func keep(_ wish: AnswerWish) {
        guard !wish.purpose.isOutOfBand, let index = waiting.firstIndex(where: { !$0.purpose.isOutOfBand }) else {
            waiting.insert(wish, at: 0)
            return
        }
        waiting[index].purpose = .conversation
        waiting[index].unacknowledgedItems.formUnion(wish.unacknowledgedItems)
    }

    private mutating func loseConnection() {
        holds.insert(.disconnected)
        holds.subtract([.userSpeaking, .serverAnswerExpected, .refused])
        active = []
        if let flight = inFlight { keep(flight.wish) }
        inFlight = nil
        presumed = nil
        // The replay acknowledges every item before the gate opens again.
        for index in waiting.indices { waiting[index].unacknowledgedItems = [] }
    }

    /// Who speaks needs no greeting.
    private mutating func dropGreeting(to actions: inout [GateAction]) {
        waiting.removeAll { wish in
            guard case .greeting = wish.purpose else { return false }
            actions.append(.drop(wish))
            return true
        }
    }

    /// A request that is under way stays under way; only nobody waits for it any more.
    private mutating func withdraw(_ operation: OperationID) {
        waiting.removeAll { $0.operation == operation }
        if inFlight?.wish.operation == operation { inFlight?.wish.operation = nil }
    }

    private mutating func dropWaiting(to actions: inout [GateAction]) {
        actions += waiting.map(GateAction.drop)
        waiting = []
    }

    private mutating func close(to actions: inout [GateAction]) {
        if let flight = inFlight { actions.append(.drop(flight.wish)) }
        inFlight = nil
        presumed = nil
        dropWaiting(to: &actions)
        active = []
        holds.formUnion(.disconnected)
        holds.subtract([.userSpeaking, .serverAnswerExpected, .refused])
    }

    private mutating func letThrough(_ actions: inout [GateAction]) {
        guard holds.isEmpty, active.isEmpty, inFlight == nil, !waiting.isEmpty else { return }
        let wish = waiting.removeFirst()
        requests += 1
        let requestID = "ask_\(requests)"
        inFlight = InFlight(requestID: requestID, wish: wish)
        presumed = nil
        actions.append(.request(requestID: requestID, wish))
    }
}
