import SeededRandom
import Foundation
import GlassesAssistant
import GlassesDomain
import GlassesRealtime
import GlassesTesting
import Synchronization

@testable import GlassesRuntime

/// When the connection is lost, how long nobody answers then, and how late the client learns of it; in milliseconds.
struct Loss: Sendable, Hashable {
    var at: Int
    var downtime: Int
    var noticedAfter: Int
}

/// A whole session in one thread and in steps of 40 ms: the session machine, the uplink and the codec as they are, on a network with
/// delays, a gateway, a loudspeaker, tools that take their time, and a user who speaks whether or not there is a connection.
final class SurvivalWorld {
    private static let step = 40

    let script: ConversationScript
    let record = GatewayRecord()
    var machine: SessionMachine
    /// How often each tool ran, by its name and arguments.
    private(set) var runs: [String: Int] = [:]
    private(set) var events: [AssistantEvent] = []
    private(set) var now = 1_000
    let uplink = Uplink()

    private let vocabulary: [String: [Int16]]
    private let choices: SessionChoices
    private let settings: SessionSettings
    private var generator: SeededGenerator
    private var losses: [Loss]
    private var downUntil = 0
    private var timers: [SessionTimer: Int] = [:]
    private var attempts: [(id: ConnectionID, due: Int)] = []
    private var link: Link?
    private var ends: [(id: ConnectionID, due: Int)] = []
    private let notices = Tally()
    private var noticed = 0
    private var bodies: [(callID: String, output: String, due: Int)] = []
    private var user: ScriptedUser
    private var speaker = StepwiseSpeaker()
    private var receivedFrames = 0
    private var operations = 0

    private struct Link {
        var id: ConnectionID
        var gateway: GatewaySession
        var wire: WireEnd
        var latency: Int
        var toGateway: [(due: Int, bytes: [UInt8])] = []
        var toClient: [(due: Int, bytes: [UInt8])] = []
        /// The gateway is gone; the client does not know yet.
        var isDead = false
    }

    init(script: ConversationScript, seed: UInt64, losses: [Loss]) {
        self.script = script
        self.losses = losses
        generator = SeededGenerator(seed: seed)
        vocabulary = SpokenWords.vocabulary(of: script.spoken)
        user = ScriptedUser(script: script)
        var config = AssistantConfig(provider: .managed())
        config.greeting = .off
        config.tools = [
            ToolDefinition(name: "add_item", description: "Adds an item.") { _ in .ok("") },
            ToolDefinition(name: "get_time", description: "Tells the time.") { _ in .ok("") },
        ]
        let nowhere = RealtimeConnector(
            providerName: "script", defaultModel: nil, audioDestination: "stays in this test", canCompose: true,
            connect: { _ in throw CancellationError() })
        settings = SessionSettings(config: config, connector: nowhere, clock: ManualClock().port, seed: seed)
        choices = SessionChoices(config)
        machine = SessionMachine(configuration: settings.machine)
        uplink.setListener { [notices] notice in if case .speech = notice { notices.add() } }
        feed(.operationRequested(operation(), .start))
        feed(.operationRequested(operation(), .wake))
    }

    /// Lets the conversation go on until it is over, at most `limit`; false when it is not.
    func run(limit: Int = 120_000) -> Bool {
        while now < limit {
            step()
            if user.isDone(machine.turns, isHearing: !speaker.isEmpty) { return true }
        }
        return false
    }

    private func operation() -> OperationID {
        operations += 1
        return OperationID(operations)
    }

    private func moment(_ milliseconds: Int) -> MonotonicTime { .zero.advanced(by: .milliseconds(milliseconds)) }

    private func step() {
        now += Self.step
        fireTimers()
        loseConnection()
        openConnections()
        listen()
        carry()
        for event in speaker.play(Self.step) { feed(event) }
        for body in bodies where body.due <= now {
            feed(.toolReturned(callID: body.callID, output: body.output, isError: false))
        }
        bodies.removeAll { $0.due <= now }
    }

    // MARK: - Time and the network

    private func fireTimers() {
        while let next = timers.filter({ $0.value <= now }).min(by: { $0.value < $1.value })?.key {
            timers[next] = nil
            feed(.timerFired(next))
        }
    }

    private func loseConnection() {
        if let loss = losses.first, loss.at <= now {
            losses.removeFirst()
            downUntil = now + loss.downtime
            if let id = link?.id, link?.isDead == false {
                link?.isDead = true
                ends.append((id, now + loss.noticedAfter))
            }
        }
        for end in ends where end.due <= now {
            if link?.id == end.id { link = nil }
            let closure = ConnectionClosure(code: "dropped", message: "The link dropped.", closeCode: 1006)
            feed(.connectionClosed(end.id, closure))
        }
        ends.removeAll { $0.due <= now }
    }

    private func openConnections() {
        for attempt in attempts where attempt.due <= now {
            attempts.removeAll { $0.id == attempt.id }
            guard now >= downUntil else {
                let refusal = ConnectionClosure(code: "connection_refused", message: "Nobody listens.")
                feed(.connectionFailed(attempt.id, refusal))
                continue
            }
            let gateway = GatewaySession(script: script, record: record, vocabulary: vocabulary, at: now)
            let latency = Int.random(in: 5...60, using: &generator)
            link = Link(id: attempt.id, gateway: gateway, wire: WireEnd(), latency: latency)
            feed(.connectionOpened(attempt.id))
        }
    }

    /// The microphone hears one step, of the user or of nothing.
    private func listen() {
        if let text = user.act(
            at: now, turns: machine.turns, isHearing: !speaker.isEmpty,
            pause: Int.random(in: 200...900, using: &generator))
        {
            feed(.operationRequested(operation(), .sendText(text: text)))
        }
        uplink.send(user.sound(milliseconds: Self.step))
        guard notices.count > noticed else { return }
        noticed = notices.count
        feed(.speechNoticed)
    }

    private func carry() {
        guard var link else { return }
        link.toGateway += link.wire.take().map { (now + link.latency, $0) }
        if !link.isDead {
            for message in link.toGateway where message.due <= now { link.gateway.receive(message.bytes, at: now) }
            link.toGateway.removeAll { $0.due <= now }
            for event in link.gateway.take(until: now) {
                let bytes = RealtimeCodec.encode(event, eventId: record.newID("event"))
                link.toClient.append((now + link.latency, bytes))
            }
        }
        let arrived = link.toClient.filter { $0.due <= now }
        link.toClient.removeAll { $0.due <= now }
        self.link = link
        for message in arrived where self.link?.id == link.id { receive(message.bytes, on: link.id) }
    }

    private func receive(_ bytes: [UInt8], on id: ConnectionID) {
        do {
            let event = try RealtimeCodec.decodeServerEvent(bytes).event
            let facts = ServerFacts(connection: id)
            if case .responseOutputAudioDelta(let audio) = event {
                receivedFrames = audio.audio.count / 2
                feed(.server(id, .answerAudioReceived(facts.segment(audio.place), frames: receivedFrames)))
            } else {
                for fact in facts.facts(of: event) { feed(.server(id, fact)) }
            }
        } catch {
            record.violate("the client could not read an event: \(error)")
        }
    }

    // MARK: - The session

    private func feed(_ input: SessionInput) {
        for action in machine.apply(input, at: moment(now)) { start(action) }
    }

    private func start(_ action: SessionAction) {
        switch action {
        case .send(let command, let id):
            guard link?.id == id, let wire = link?.wire else { return }
            let event = WireCommands.event(for: command, update: settings.update(choices), audio: uplink.audio(of:))
            _ = wire.send(.text(RealtimeCodec.encode(event)), lane: .control)
        case .connection(.open(let id)): attempts.append((id, now + Int.random(in: 10...80, using: &generator)))
        case .connection(.close(let id)): ends.append((id, now + 20))
        case .timer(.schedule(let timer, let at)): timers[timer] = Int(at.nanoseconds / 1_000_000) + 1
        case .timer(.cancel(let timer)): timers[timer] = nil
        case .playback(.playReceivedAudio(let segment)): speaker.add(segment, milliseconds: receivedFrames / 24)
        case .playback(.flush(let id)): speaker.flush(id)
        case .tool(.run(let callID, let name, let arguments)):
            runs["\(name) \(arguments.jsonText)", default: 0] += 1
            let output = ConversationScript.output(of: name)
            bodies.append((callID, output, now + Int.random(in: 150...900, using: &generator)))
        case .microphone(let action): start(action)
        case .notify(let event): events.append(event)
        case .connection(.abandon), .playback(.pause), .playback(.resume), .tool(.cancel), .hook, .picture, .memory,
            .enter, .publishHistory, .finish,
            .releaseSlot,
            .diagnose:
            break
        }
    }

    private func start(_ action: MicrophoneAction) {
        switch action {
        case .open: uplink.beginCapture()
        case .close: uplink.endCapture()
        case .startUplink(let id, let resending):
            if link?.id == id, let wire = link?.wire { uplink.start(wire, resending: resending) }
        case .stopUplink: uplink.stop()
        case .moveUplink(let id): if link?.id == id, let wire = link?.wire { uplink.move(to: wire) }
        case .keepUtterance(let startMs): uplink.keepUtterance(startMs: startMs)
        case .commitUtterance(let itemID, let endMs): uplink.commitUtterance(itemID, endMs: endMs)
        case .forgetUtterance(let itemID): uplink.forgetUtterance(itemID)
        case .forgetRecent: uplink.forgetRecent()
        case .measureSpeech: uplink.measureSpeech()
        case .stopMeasuring: uplink.stopMeasuring()
        }
    }
}

/// The client's end of a connection: keeps what was sent until the network takes it.
private final class WireEnd: RealtimeConnection {
    let inbound = AsyncStream<RealtimeInbound> { $0.finish() }
    private let sent = Mutex<[[UInt8]]>([])

    func send(_ message: RealtimeMessage, lane: UplinkLane) -> UplinkOutcome {
        if case .text(let bytes) = message { sent.withLock { $0.append(bytes) } }
        return .accepted
    }

    func take() -> [[UInt8]] {
        sent.withLock { sent in
            defer { sent = [] }
            return sent
        }
    }

    func close(code: UInt16, reason: String) {}
}
