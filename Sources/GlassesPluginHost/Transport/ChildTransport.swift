import Glibc
import GlassesDomain

/// A transport whose code runs in a child process, which is replaced when it dies.
final class ChildTransport: TransportInstance {
    let facts: TransportFacts

    private let child: SupervisedChild
    private let link: ChildTransportLink
    private let life = InstanceLife()
    private let plugin: String

    /// Starts a child with an instance; reports go to `deliver` from then on.
    static func open(
        _ setup: SupervisedChild.Setup, requests: RequestTable,
        deliver: @escaping @Sendable (TransportReport) -> Void
    ) async -> Result<ChildTransport, PluginFailureReport> {
        let link = ChildTransportLink(monitor: setup.monitor, requests: requests, deliver: deliver)
        let child = SupervisedChild(setup)
        switch await child.open(link) {
        case .failure(let failure): return .failure(failure)
        case .success:
            guard let facts = link.facts else {
                return .failure(PluginFailureReport(.failed, plugin: setup.monitor.plugin, function: "describe"))
            }
            return .success(ChildTransport(facts, child, link, plugin: setup.monitor.plugin))
        }
    }

    private init(_ facts: TransportFacts, _ child: SupervisedChild, _ link: ChildTransportLink, plugin: String) {
        self.facts = facts
        self.child = child
        self.link = link
        self.plugin = plugin
    }

    /// The number of the living child's process, for diagnostics.
    var process: pid_t? { child.process }

    /// Whether the living child is connected and streaming as its predecessor was, for diagnostics.
    var isDelivering: Bool { child.isDelivering }

    /// How many children were started after the first one.
    var restarts: Int { child.restarts }

    func send(
        _ call: TransportCall, id: UInt64, answer: @escaping @Sendable (Result<Void, PluginFailureReport>) -> Void
    ) {
        guard !life.isOver else {
            return answer(.failure(PluginFailureReport(.wrongState, plugin: plugin, function: call.function)))
        }
        switch link.begins(call, id) {
        case .needsNoPlugin:
            answer(.success(()))
            link.completedByItself(id)
        case .waits: answer(.success(()))
        case .needsPlugin:
            let revives = if case .connect = call { true } else { false }
            let parts = call.onWire(id)
            child.call(parts.call, descriptors: parts.descriptors, owner: parts.owner, revives: revives) {
                [link] result in
                link.accepted(id, result)
                answer(result)
            }
        }
    }

    func flush(_ flush: UInt64, upTo position: Int64) {
        guard !life.isOver else { return }
        child.call(.flush(id: flush, upTo: position)) { _ in }
    }

    func destroy() async {
        guard life.end() else { return }
        link.isEnding()
        await child.stop()
    }
}

extension TransportCall {
    /// The call as a child gets it.
    func onWire(_ id: UInt64) -> (call: PluginCall, descriptors: [Int32], owner: (any Sendable)?) {
        switch self {
        case .connect(let device): (.connect(request: id, device: device), [], nil)
        case .disconnect: (.disconnect(request: id), [], nil)
        case .startMicrophone(let stream):
            (.startMicrophone(request: id, stream.ring.shape), stream.ring.descriptors, stream.ring)
        case .stopMicrophone: (.stopMicrophone(request: id), [], nil)
        case .startSpeaker(let stream):
            (.startSpeaker(request: id, stream.ring.shape), stream.ring.descriptors, stream.ring)
        case .stopSpeaker: (.stopSpeaker(request: id), [], nil)
        case .startCamera(let stream):
            (
                .startCamera(
                    request: id, configuration: stream.configuration, slotBytes: stream.ring.slotBytes),
                stream.ring.descriptors, stream.ring
            )
        case .stopCamera: (.stopCamera(request: id), [], nil)
        case .takePhoto: (.takePhoto(request: id), [], nil)
        case .show(let tree): (.show(request: id, tree: tree), [], nil)
        case .clearDisplay: (.clearDisplay(request: id), [], nil)
        case .registerApp: (.registerApp(request: id), [], nil)
        case .unregisterApp: (.unregisterApp(request: id), [], nil)
        case .checkPermission(let permission): (.checkPermission(request: id, permission.c), [], nil)
        case .requestPermission(let permission): (.requestPermission(request: id, permission.c), [], nil)
        case .handleURL(let url): (.handleURL(request: id, url: url), [], nil)
        }
    }
}

extension AudioRingMemory {
    fileprivate var shape: RingShape { RingShape(capacity: capacity, sampleRate: UInt32(sampleRate)) }
    /// In the order in which a child expects them.
    fileprivate var descriptors: [Int32] { [memoryDescriptor, wakeDescriptor, kickDescriptor] }
}

extension VideoRingMemory {
    /// In the order in which a child expects them.
    fileprivate var descriptors: [Int32] { [memoryDescriptor, wakeDescriptor] }
}
