import MWDATCore

/// Glasses behind a phone: the phone's app holds the vendor's toolkit, and this one uses its glasses over the network.
///
/// `docs/dat-bridge.md` tells what the two say to each other. One phone is connected at a time; when its connection is
/// cut, every session ends with a reason, and the phone may come back without a new code. Ends with ``stop()``.
public final class DATBridge: Sendable {
    /// Rounds of hashing that make a recorded code expensive to search.
    static let rounds = 100_000

    /// Where it listens, as in a URL; nil when it calls the phone.
    public let address: String?
    /// What the toolkit talks over.
    package let link: any WearablesLink
    private let reception: Reception
    private let source: BridgeSource
    private let listener: (any BridgeListener)?
    private let streams: StateStreams<DATBridgeState>
    private let showsCode: @Sendable (PairingCode) -> Void

    /// Starts to listen, or to call the phone when the toolkit opens the link.
    ///
    /// - Throws: ``DATBridgeError`` when the set-up cannot be used.
    package init(
        _ configuration: DATBridgeConfiguration, rounds: Int = DATBridge.rounds,
        onPairingCode: @escaping @Sendable (PairingCode) -> Void
    ) throws(DATBridgeError) {
        try configuration.check()
        let streams = StateStreams(of: DATBridgeState.waiting)
        let reception = Reception(
            name: configuration.name, store: try PairingStore(path: configuration.pairingFile),
            heartbeat: configuration.heartbeat, rounds: rounds, announce: { streams.send($0) })
        let ends = try configuration.transport.ends(reception)
        self.streams = streams
        self.reception = reception
        showsCode = onPairingCode
        listener = ends.listener
        address = ends.listener?.address
        source = BridgeSource(reception: reception, dialler: ends.dialler)
        link = RemoteLink(source: source)
        if reception.store.phones.isEmpty { showPairingCode() }
    }

    /// Starts a bridge and makes the process's toolkit use it.
    ///
    /// Configures the toolkit with `app` when that has not happened. A link that was used before is closed, and its
    /// sessions end; listeners stay. `onPairingCode` is called with every code that is to be shown: with the first one
    /// before this returns, if no phone is paired, then for each ``showPairingCode()``, on the caller's thread. Not
    /// from within a listener.
    ///
    /// - Throws: ``DATBridgeError`` when the set-up cannot be used; then nothing has changed.
    public static func configure(
        _ configuration: DATBridgeConfiguration, app: Configuration,
        onPairingCode: @escaping @Sendable (PairingCode) -> Void
    ) throws(DATBridgeError) -> DATBridge {
        let bridge = try DATBridge(configuration, onPairingCode: onPairingCode)
        Wearables.use(link: bridge.link, configuration: app)
        return bridge
    }

    /// What it does, beginning with now; the stream finishes after ``DATBridgeState/stopped``.
    public var states: AsyncStream<DATBridgeState> { streams.stream() }

    /// The phones that may connect without a code, latest last.
    public var pairedPhones: [PairedPhone] { reception.store.phones }

    /// Makes a code by which one phone may be paired within 10 min, and hands it to the callback. An earlier code is
    /// void.
    public func showPairingCode() { showsCode(reception.showCode()) }

    /// Forgets a phone's key and ends its connection; unknown identifiers change nothing.
    ///
    /// - Throws: ``DATBridgeError`` when the file of paired phones cannot be written; then the phone stays paired.
    public func forget(_ identifier: String) throws(DATBridgeError) { try reception.forget(identifier) }

    /// Ends the bridge: the phone is disconnected, every session ends, and nobody is let in any more. Waits for
    /// greetings under way, at most some seconds. Further calls change nothing.
    public func stop() {
        reception.stop()
        source.interrupt()
        listener?.stop()
        streams.finish()
    }
}

extension DATBridgeConfiguration {
    fileprivate func check() throws(DATBridgeError) {
        guard (1...64).contains(name.utf8.count) else {
            throw DATBridgeError("name", "A bridge's name has 1 to 64 bytes. Choose a shorter one.")
        }
        guard (1...60).contains(heartbeat.components.seconds), heartbeat.components.attoseconds == 0 else {
            throw DATBridgeError("heartbeat", "A bridge's heartbeat is 1 to 60 whole seconds.")
        }
    }
}

extension DATBridgeConfiguration.Transport {
    fileprivate func ends(
        _ reception: Reception
    ) throws(DATBridgeError) -> (listener: (any BridgeListener)?, dialler: (any BridgeDialler)?) {
        switch self {
        case .listenTCP(let address): (try TCPListener(NumericAddress(address), reception: reception), nil)
        case .listenWebSocket(let address, let hosts, let tls):
            (try WebSocketListener(listen: address, hosts: hosts, tls: tls, reception: reception), nil)
        case .dialTCP(let address): (nil, try TCPDialler(NumericAddress(address)))
        case .dialWebSocket(let url, let caFile): (nil, try WebSocketDialler(url: url, caFile: caFile))
        }
    }
}
