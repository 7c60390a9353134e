import Glibc
import GlassesDomain
import Synchronization

/// Carries one plugin: reads the host's messages on the main thread and lets the plugin's own threads answer them.
final class ChildCarrier: Sendable {
    private let socket: MessageSocket
    private let outbox: ChildOutbox
    private let lanes: [CallLane: CallThread]
    private let carried = Mutex<Carried>(.nothing)

    private enum Carried: Sendable {
        case nothing
        case opening
        case instance(any HostedInstance, PluginLibrary)
    }

    /// A host reads what is left within this; one that does not is gone.
    private static let farewell: Duration = .seconds(1)
    private static let farewellPause: UInt32 = 1_000

    init(_ socket: MessageSocket) {
        self.socket = socket
        outbox = ChildOutbox(socket)
        lanes = [
            .host: CallThread(name: "plugin host"), .urgent: CallThread(name: "plugin flush"),
            .engine: CallThread(name: "plugin engine"),
        ]
    }

    /// Runs until the process ends.
    func run() -> Never {
        var waits = false
        while true {
            var sources = [
                pollfd(fd: socket.descriptor, events: Int16(POLLIN | (waits ? POLLOUT : 0)), revents: 0),
                pollfd(fd: socket.waitingDescriptor, events: Int16(POLLIN), revents: 0),
            ]
            poll(&sources, 2, -1)
            waits = socket.sendWaiting()
            receiveAll()
        }
    }

    /// The first message decides what this process may do; nothing of the plugin has run before it.
    static func receiveOpening(_ socket: MessageSocket) -> PluginOpening {
        while true {
            var source = pollfd(fd: socket.descriptor, events: Int16(POLLIN), revents: 0)
            poll(&source, 1, -1)
            switch socket.receive() {
            case .message(let bytes, let descriptors):
                guard descriptors.isEmpty, case .open(let opening) = read(bytes) else {
                    ChildExit.hostMisunderstood.leave()
                }
                return opening
            case .nothing: continue
            case .closed: ChildExit.leaveOrphaned()
            case .wrong: ChildExit.hostMisunderstood.leave()
            }
        }
    }

    private static func read(_ bytes: [UInt8]) -> HostMessage {
        do { return try HostMessage(bytes) } catch { ChildExit.hostMisunderstood.leave() }
    }

    private func receiveAll() {
        while true {
            switch socket.receive() {
            case .message(let bytes, let descriptors): receive(Self.read(bytes), descriptors)
            case .nothing: return
            case .closed: ChildExit.leaveOrphaned()
            case .wrong: ChildExit.hostMisunderstood.leave()
            }
        }
    }

    private func receive(_ message: HostMessage, _ descriptors: [Int32]) {
        guard descriptors.count == message.descriptorCount else { ChildExit.hostMisunderstood.leave() }
        switch message {
        case .areYouAlive(let number): outbox.send(.alive(number))
        case .open: ChildExit.hostMisunderstood.leave()
        case .call(let serial, .destroy): destroy(serial)
        case .call(let serial, let call): lanes[call.lane]?.run { [self] in perform(call, serial, descriptors) }
        }
    }

    /// Makes the instance on the [host] thread. What the kernel could not confine is told first.
    func open(_ opening: PluginOpening, _ report: SandboxReport) {
        for shortcoming in report.shortcomings {
            let line = "The plugin's process is not confined as it should be: \(shortcoming)"
            outbox.send(.log(severity: PluginLogSeverity.warning.c, CText(bytes: Array(line.utf8))))
        }
        carried.withLock { $0 = .opening }
        lanes[.host]?.run { [self] in
            do throws(OpeningFailure) {
                let maker = try HostedOpening(opening, outbox)
                let opened = try maker.run()
                carried.withLock { $0 = .instance(opened.instance, maker.library) }
                outbox.send(opened.message)
            } catch {
                carried.withLock { $0 = .nothing }
                outbox.send(error.message)
            }
        }
    }

    private func perform(_ call: PluginCall, _ serial: UInt64, _ descriptors: [Int32]) {
        guard case .instance(let instance, _) = carried.withLock({ $0 }) else { ChildExit.hostMisunderstood.leave() }
        do {
            let result = try instance.perform(call, descriptors: descriptors)
            outbox.send(.answered(serial: serial, result: result))
        } catch {
            ChildExit.hostMisunderstood.leave()
        }
    }

    /// Ends the instance after every call that runs, then the plugin, then this process.
    private func destroy(_ serial: UInt64) {
        lanes[.urgent]?.run { [self] in
            lanes[.engine]?.run { [self] in
                lanes[.host]?.run { [self] in
                    if case .instance(let instance, let library) = carried.withLock({ $0 }) {
                        instance.destroy()
                        library.shutdown()
                    }
                    outbox.send(.answered(serial: serial, result: 0))
                    leave()
                }
            }
        }
    }

    private func leave() -> Never {
        let deadline = SystemClock.now().advanced(by: Self.farewell)
        while socket.waitingBytes > 0, SystemClock.now() < deadline { usleep(Self.farewellPause) }
        ChildExit.done.leave()
    }
}
