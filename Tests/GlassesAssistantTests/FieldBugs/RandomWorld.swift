import GlassesAssistant
import GlassesDomain

/// Eight tasks that call at random, and a network that opens, refuses, drops and closes at random moments.
struct RandomWorld {
    private enum Coming {
        case opened(ConnectionID)
        case failed(ConnectionID)
        case accepted(ConnectionID)
        case closed(ConnectionID, UInt16)
    }

    var session = SessionHarness()
    var asked = 0
    var wasStarted = false
    /// What the network has open and was not told to close.
    var openConnections: Set<ConnectionID> = []
    /// Microphone uplinks that were open although the session was not awake.
    var samplesLeftWhileAsleep = 0
    private var attempts: Set<ConnectionID> = []
    private var coming: [(due: MonotonicTime, what: Coming)] = []
    private var isUplinkOpen = false
    private var generator: SplitMix64

    init(seed: UInt64) {
        generator = SplitMix64(seed: seed)
        session = SessionHarness {
            $0.startsActive = seed % 3 == 0
            $0.randomSeed = seed
        }
    }

    mutating func run() {
        var plans = (0..<8).map { _ in (0..<Int.random(in: 2...5, using: &generator)).map { _ in randomOperation() } }
        while plans.contains(where: { !$0.isEmpty }) {
            let task = Int.random(in: 0..<8, using: &generator)
            if !plans[task].isEmpty { call(plans[task].removeFirst()) }
            pass(.milliseconds(Int.random(in: 0...120, using: &generator)))
        }
        call(.stop)
        pass(.seconds(5))
    }

    private mutating func randomOperation() -> SessionOperation {
        switch Int.random(in: 0..<20, using: &generator) {
        case 0..<6: .start
        case 6..<13: .wake
        case 13..<18: .sleep
        case 18: .say(text: "hello")
        default: Bool.random(using: &generator) ? .stop : .cancelSpeak
        }
    }

    private mutating func call(_ operation: SessionOperation) {
        asked += 1
        if operation == .start, session.machine.state == .idle { wasStarted = true }
        follow(session.ask(operation).actions)
    }

    /// Lets time pass and delivers what comes due.
    private mutating func pass(_ duration: Duration) {
        let end = session.now.advanced(by: duration)
        while let index = coming.indices.filter({ coming[$0].due <= end }).min(by: { coming[$0].due < coming[$1].due })
        {
            let next = coming.remove(at: index)
            move(to: next.due)
            deliver(next.what)
        }
        move(to: end)
    }

    /// In small steps, so that what timers start can come due in between.
    private mutating func move(to moment: MonotonicTime) {
        guard session.now < moment else { return }
        follow(session.advance(session.now.duration(to: moment)))
    }

    private mutating func deliver(_ what: Coming) {
        switch what {
        case .opened(let id):
            guard attempts.remove(id) != nil else { return }
            openConnections.insert(id)
            follow(session.feed(.connectionOpened(id)))
        case .failed(let id):
            guard attempts.remove(id) != nil else { return }
            follow(session.feed(.connectionFailed(id, ConnectionClosure(code: "connection_refused", message: "no"))))
        case .accepted(let id): follow(session.feed(.server(id, .sessionUpdated(ServerSessionFacts()))))
        case .closed(let id, let code):
            guard openConnections.remove(id) != nil else { return }
            follow(
                session.feed(.connectionClosed(id, ConnectionClosure(code: "closed", message: "bye", closeCode: code))))
        }
    }

    private mutating func follow(_ actions: [SessionAction]) {
        for action in actions {
            switch action {
            case .connection(.open(let id)):
                attempts.insert(id)
                let isRefused = Int.random(in: 0..<4, using: &generator) == 0
                later(300, isRefused ? .failed(id) : .opened(id))
            case .connection(.close(let id)): later(100, .closed(id, 1000))
            case .connection(.abandon(let id)): openConnections.remove(id)
            case .send(.updateSession, let id):
                later(100, .accepted(id))
                if Int.random(in: 0..<5, using: &generator) == 0 { later(900, .closed(id, 1006)) }
            case .microphone(.startUplink): isUplinkOpen = true
            case .microphone(.stopUplink): isUplinkOpen = false
            case .enter(let state): if state != .active, isUplinkOpen { samplesLeftWhileAsleep += 1 }
            case .send, .playback, .tool, .timer, .microphone, .hook, .picture, .memory, .notify, .publishHistory,
                .finish, .releaseSlot, .diagnose:
                break
            }
        }
    }

    private mutating func later(_ most: Int, _ what: Coming) {
        let wait = Duration.milliseconds(Int.random(in: 0...most, using: &generator))
        coming.append((session.now.advanced(by: wait), what))
    }
}
