import GlassesDomain

/// What a transport can be asked for; each ends in one ``TransportReport/completed(_:_:)``.
enum TransportCall: Sendable {
    case connect(DeviceId?)
    case disconnect
    case startMicrophone(RingStream)
    case stopMicrophone
    case startSpeaker(RingStream)
    case stopSpeaker

    /// The function of the ABI, for reports.
    var function: String {
        switch self {
        case .connect: "glasses_transport.connect"
        case .disconnect: "glasses_transport.disconnect"
        case .startMicrophone: "glasses_microphone.start"
        case .stopMicrophone: "glasses_microphone.stop"
        case .startSpeaker: "glasses_speaker.start"
        case .stopSpeaker: "glasses_speaker.stop"
        }
    }

    /// How long the whole request may take: the ABI allows 10 s and 2 s, the ports promise 3 s for an open and 1 s for a close.
    var limit: Duration {
        switch self {
        case .connect: .seconds(10)
        case .disconnect: .seconds(2)
        case .startMicrophone, .startSpeaker: .seconds(3)
        case .stopMicrophone, .stopSpeaker: .milliseconds(800)
        }
    }
}

/// The ring of an open stream, and what its owner does when the plugin behind it dies and is started again.
struct RingStream: Sendable {
    var ring: AudioRingMemory
    /// Called once the plugin cannot touch the ring any more.
    var pluginDied: @Sendable () -> Void
    /// Called before another plugin gets the ring, which starts at position 0 then.
    var pluginRestarts: @Sendable () -> Void
}

/// What a transport tells, in order.
enum TransportReport: Sendable {
    case stateChanged(GlassesState)
    case completed(UInt64, function: String, Result<Void, PluginFailureReport>)
    case told(event: String, details: JSONValue)
}

/// One instance of a transport, wherever its code runs: in this process, or in a child.
///
/// Calls return when they were accepted or refused; nothing waits for a device, and a plugin that hangs delays nobody.
protocol TransportInstance: AnyObject, Sendable {
    /// What the plugin says of itself.
    var facts: TransportFacts { get }
    /// Whether the plugin has the extension, not whether it says so.
    var hasMicrophone: Bool { get }
    /// Whether the plugin has the extension, not whether it says so.
    var hasSpeaker: Bool { get }
    /// Makes a request after those before it; `answer` tells on a thread of the plugin whether it was accepted.
    func send(
        _ call: TransportCall, id: UInt64, answer: @escaping @Sendable (Result<Void, PluginFailureReport>) -> Void)
    /// Asks the loudspeaker to cut everything before `position`; its ring tells when that was done.
    func flush(_ flush: UInt64, upTo position: Int64)
    /// Ends the instance; no report comes afterwards.
    func destroy() async
}
