/// Where phones come in.
protocol BridgeListener: AnyObject, Sendable {
    /// Where it listens, as in a URL: `192.168.1.5:7420`.
    var address: String { get }
    /// Lets nobody in any more, and ends the greetings under way.
    func stop()
}
