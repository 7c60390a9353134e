import GlassesDomain
import GlassesRealtime
import Synchronization

/// A realtime provider whose part a test plays: it keeps what the client sent and says what the test tells it to.
public final class ScriptedProvider: Sendable {
    /// How the next connection attempts end.
    public enum Handshake: Sendable {
        case accept
        case refuse(ConnectionClosure)
        /// Never answers until the attempt is cancelled.
        case hang
    }

    private struct Storage {
        var connections: [ScriptedConnection] = []
        var handshakes: [Handshake] = []
        var attempts = 0
    }

    private let storage = Mutex(Storage())
    private let canCompose: Bool
    private let model: String
    private let pictures: PictureTreatment
    private let acknowledgesItems: Bool

    /// A provider; `canCompose` and `pictures` are what its connector says, `model` is what it calls itself. It greets each connection with `session.created` and answers each
    /// `session.update` with `session.updated`, as every server must; with `acknowledgesItems` it also takes each item at once.
    public init(
        canCompose: Bool = true, model: String = "script", pictures: PictureTreatment = .seen,
        acknowledgesItems: Bool = false
    ) {
        self.acknowledgesItems = acknowledgesItems
        self.canCompose = canCompose
        self.model = model
        self.pictures = pictures
    }

    /// The connector that leads here.
    public var connector: RealtimeConnector {
        var connector = RealtimeConnector(
            providerName: "scripted", defaultModel: model, audioDestination: "Audio stays in this test.",
            canCompose: canCompose, connect: { [self] _ in try await connect() })
        connector.pictures = pictures
        return connector
    }

    /// All connections so far, oldest first.
    public var connections: [ScriptedConnection] { storage.withLock { $0.connections } }

    /// How many connections were asked for.
    public var attempts: Int { storage.withLock { $0.attempts } }

    /// How many connections are open.
    public var openCount: Int { connections.count(where: \.isOpen) }

    /// Ends the next attempts like this, one each; later ones are accepted.
    public func plan(_ handshakes: [Handshake]) { storage.withLock { $0.handshakes = handshakes } }

    private func connect() async throws -> any RealtimeConnection {
        let handshake = storage.withLock { storage -> Handshake in
            storage.attempts += 1
            return storage.handshakes.isEmpty ? .accept : storage.handshakes.removeFirst()
        }
        switch handshake {
        case .accept: break
        case .refuse(let closure): throw closure
        case .hang:
            let (never, keep) = AsyncStream<Void>.makeStream()
            for await _ in never {}
            keep.finish()
            throw CancellationError()
        }
        try Task.checkCancellation()
        let connection = ScriptedConnection(model: model, acknowledgesItems: acknowledgesItems)
        storage.withLock { $0.connections.append(connection) }
        connection.say(.sessionCreated(RealtimeSession(id: "sess_1", model: model)))
        return connection
    }
}

/// One connection to a ``ScriptedProvider``.
public final class ScriptedConnection: RealtimeConnection {
    private struct Storage {
        var sent: [Identified<ClientEvent>] = []
        var undecodable = 0
        var appendedBytes = 0
        var session: RealtimeSession
        var isOpen = true
        var events = 0
        var ignoresClose = false
        var refusesMessages = false
        var lastItem: String?
    }

    /// What the client hears.
    public let inbound: AsyncStream<RealtimeInbound>
    private let continuation: AsyncStream<RealtimeInbound>.Continuation
    private let storage: Mutex<Storage>
    private let acknowledgesItems: Bool

    init(model: String, acknowledgesItems: Bool = false) {
        self.acknowledgesItems = acknowledgesItems
        storage = Mutex(Storage(session: RealtimeSession(id: "sess_1", model: model)))
        (inbound, continuation) = AsyncStream.makeStream()
    }

    /// What the client sent so far, without its audio.
    public var sent: [ClientEvent] { identified.map(\.event) }
    /// The same with the ids that the client gave them.
    public var identified: [Identified<ClientEvent>] { storage.withLock { $0.sent } }
    /// Bytes of audio that the client sent.
    public var appendedBytes: Int { storage.withLock { $0.appendedBytes } }
    /// Messages of the client that were no valid events.
    public var undecodableCount: Int { storage.withLock { $0.undecodable } }
    /// Whether the connection is open.
    public var isOpen: Bool { storage.withLock { $0.isOpen } }
    /// The session as the client configured it.
    public var session: RealtimeSession { storage.withLock { $0.session } }

    /// Says an event.
    public func say(_ event: ServerEvent) {
        let id = storage.withLock { storage in
            storage.events += 1
            return "event_\(storage.events)"
        }
        continuation.yield(.message(.text(RealtimeCodec.encode(event, eventId: id))))
    }

    /// Says bytes as they are.
    public func say(bytes: [UInt8]) { continuation.yield(.message(.text(bytes))) }

    /// Ends the connection from the provider's side.
    public func drop(_ closure: ConnectionClosure) {
        let wasOpen = storage.withLock { storage in
            defer { storage.isOpen = false }
            return storage.isOpen
        }
        guard wasOpen else { return }
        continuation.yield(.closed(closure))
        continuation.finish()
    }

    /// Ends the stream without a word of the end, as a broken provider does.
    public func breakOff() {
        storage.withLock { $0.isOpen = false }
        continuation.finish()
    }

    /// Takes no message from now on, as a connection whose bound is reached.
    public func refuseMessages() { storage.withLock { $0.refusesMessages = true } }

    /// Never answers a close from now on.
    public func ignoreClose() { storage.withLock { $0.ignoresClose = true } }

    /// Takes a message of the client.
    public func send(_ sent: RealtimeMessage, lane: UplinkLane) -> UplinkOutcome {
        guard case .text(let bytes) = sent, storage.withLock({ $0.isOpen && !$0.refusesMessages }) else {
            return .refused
        }
        let message: Identified<ClientEvent>
        do {
            message = try RealtimeCodec.decodeClientEvent(bytes)
        } catch {
            storage.withLock { $0.undecodable += 1 }
            return .accepted
        }
        switch message.event {
        case .inputAudioBufferAppend(let audio): storage.withLock { $0.appendedBytes += audio.count }
        case .sessionUpdate(let update):
            let session = storage.withLock { storage in
                storage.sent.append(message)
                if case .success(let session) = storage.session.applying(update) { storage.session = session }
                return storage.session
            }
            say(.sessionUpdated(session))
        case .conversationItemCreate(let creation) where acknowledgesItems:
            let previous = storage.withLock { storage in
                storage.sent.append(message)
                defer { storage.lastItem = creation.item.id }
                return creation.previousItemId ?? storage.lastItem
            }
            say(.conversationItemAdded(ItemPlacement(item: creation.item, previousItemId: previous)))
        default: storage.withLock { $0.sent.append(message) }
        }
        return .accepted
    }

    /// Ends the connection from the client's side.
    public func close(code: UInt16, reason: String) {
        guard !storage.withLock({ $0.ignoresClose }) else { return }
        drop(ConnectionClosure(code: "closed", message: "The connection was closed.", closeCode: code))
    }
}
