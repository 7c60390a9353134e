import Dispatch
import Synchronization

/// Every connection of a server from its acceptance to its close.
final class ConnectionRegistry: Sendable {
    /// Connections beyond the limit that are kept open just to be told so; still more are closed without a word.
    static let spare = 64

    private struct State {
        /// Those that the daemon's thread has not seen yet, by socket.
        var handedOver: [Int32: ClientConnection] = [:]
        var open: [ObjectIdentifier: ClientConnection] = [:]
        var perAddress: [IPAddress: Int] = [:]
    }

    private let state = Mutex(State())
    /// Entered by each request until its answer is sent or its WebSocket is closed.
    private let requests = DispatchGroup()
    private let limits: ServerLimits

    init(limits: ServerLimits) { self.limits = limits }

    /// How many connections there are.
    var count: Int { state.withLock { $0.handedOver.count + $0.open.count } }

    /// All connections that the daemon serves.
    var all: [ClientConnection] { state.withLock { Array($0.open.values) } }

    /// Makes room for a connection from `remote` and keeps what `make` returns, to be found by its socket; false when
    /// even the spare room is taken.
    func handOver(_ descriptor: Int32, from remote: IPAddress, make: (Crowding?) -> ClientConnection) -> Bool {
        state.withLock { state in
            // A socket of the same number is a new one, so the daemon closed the old one without a word.
            if let dead = state.handedOver.removeValue(forKey: descriptor) { Self.leave(dead.remote, &state) }
            let count = state.handedOver.count + state.open.count
            guard count < limits.connections + Self.spare else { return false }
            let atAddress = state.perAddress[remote, default: 0]
            let isCrowdedAddress = limits.connectionsPerAddress > 0 && atAddress >= limits.connectionsPerAddress
            let connection = make(count >= limits.connections ? .server : isCrowdedAddress ? .address : nil)
            state.handedOver[descriptor] = connection
            state.perAddress[remote] = atAddress + 1
            return true
        }
    }

    /// The daemon serves the connection of this socket from now on; nil when nobody handed it over.
    func start(_ descriptor: Int32) -> ClientConnection? {
        state.withLock { state in
            guard let connection = state.handedOver.removeValue(forKey: descriptor) else { return nil }
            state.open[ObjectIdentifier(connection)] = connection
            return connection
        }
    }

    /// The daemon did not take the socket.
    func takeBack(_ descriptor: Int32) {
        state.withLock { state in
            if let connection = state.handedOver.removeValue(forKey: descriptor) {
                Self.leave(connection.remote, &state)
            }
        }
    }

    /// The daemon closes the connection.
    func remove(_ connection: ClientConnection) {
        state.withLock { state in
            if state.open.removeValue(forKey: ObjectIdentifier(connection)) != nil {
                Self.leave(connection.remote, &state)
            }
        }
    }

    private static func leave(_ address: IPAddress, _ state: inout State) {
        let left = (state.perAddress[address] ?? 1) - 1
        state.perAddress[address] = left > 0 ? left : nil
    }

    /// A request was accepted.
    func enterRequest() { requests.enter() }

    /// Its answer was sent, or its WebSocket closed.
    func leaveRequest() { requests.leave() }

    /// Blocks until no request is served, at most until `deadline`; whether that is so.
    func waitForRequests(until deadline: DispatchTime) -> Bool { requests.wait(timeout: deadline) == .success }
}
