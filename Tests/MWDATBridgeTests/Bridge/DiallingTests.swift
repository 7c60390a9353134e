import Foundation
import GlassesServer
import GlassesWebSocket
import Glibc
import Synchronization
import Testing

@testable import MWDATBridge
@testable import MWDATCore

/// Bridges that call a phone which listens.
@Suite struct DiallingTests {
    /// A phone's listening socket.
    private final class ListeningPhone: Sendable {
        let descriptor: Int32
        let port: UInt16

        init(port: UInt16 = 0) throws {
            let address = try NumericAddress("127.0.0.1:\(port)")
            descriptor = try #require(address.listen(backlog: 4))
            self.port = NumericAddress.port(of: descriptor)
        }

        deinit { close(descriptor) }

        /// The next call.
        func accept() async throws -> ScriptedPhone {
            #expect(
                try await eventually {
                    var polled = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
                    return poll(&polled, 1, 0) > 0
                })
            return ScriptedPhone(try #require(SocketWire(descriptor: Glibc.accept(descriptor, nil, nil))))
        }
    }

    @Test func aPhoneThatListensIsCalledAgainAfterACut() async throws {
        let listening = try ListeningPhone()
        let lab = try await BridgeLab(.dialTCP("127.0.0.1:\(listening.port)"), waitsForRefusal: false)
        let phone = try await listening.accept()
        guard case .welcomed(let key) = await lab.pair(phone) else {
            Issue.record("the phone was not let in")
            return
        }
        phone.tell(BridgeLab.available)
        #expect(try await eventually { lab.deliveries.all == [BridgeLab.available] })
        await phone.leave()
        #expect(try await eventually { lab.deliveries.refusals.count == 1 })
        let again = try await listening.accept()
        #expect(await again.enter(.key(key)) == .welcomed(key: key))
        again.tell(BridgeLab.available)
        #expect(try await eventually { lab.deliveries.all.last == BridgeLab.available })
        await again.leave()
        await lab.stop()
    }

    @Test func aPhoneThatIsNotThereIsToldOnceAndCalledUntilItIs() async throws {
        let placeholder = try ListeningPhone()
        let port = placeholder.port
        shutdown(placeholder.descriptor, Int32(SHUT_RDWR))
        let lab = try await BridgeLab(.dialTCP("127.0.0.1:\(port)"))
        #expect(lab.deliveries.refusals.first?.check == .link)
        var states = lab.bridge.states.makeAsyncIterator()
        // A code is shown, which is the more important news until it is used.
        #expect(await states.next() == .pairing)
        let listening = try ListeningPhone(port: port)
        let phone = try await listening.accept()
        guard case .welcomed = await lab.pair(phone) else {
            Issue.record("the phone was not let in")
            return
        }
        phone.tell(BridgeLab.available)
        #expect(try await eventually { lab.deliveries.all.last == BridgeLab.available })
        #expect(lab.deliveries.refusals.count == 1)
        await phone.leave()
        await lab.stop()
        #expect(await states.next() == .connected(PairedPhone(identifier: "phone-1", name: "Test phone")))
    }

    @Test func aCallIsGivenUpWhenTheBridgeStops() async throws {
        // Listens, and never answers the greeting.
        let listening = try ListeningPhone()
        let lab = try await BridgeLab(.dialTCP("127.0.0.1:\(listening.port)"), waitsForRefusal: false)
        let silent = try await listening.accept()
        let start = ContinuousClock.now
        await lab.stop()
        await onThread { lab.bridge.link.close() }
        #expect(ContinuousClock.now - start < .seconds(4))
        await onThread { silent.wire.finish(within: .zero) }
    }

    /// A phone that serves a WebSocket.
    private struct ServingPhone: HTTPHandler {
        let opened: @Sendable (WebSocketWire) -> Void

        func respond(to request: GlassesServer.HTTPRequest, completion: HTTPCompletion) {
            completion(
                .upgrade(
                    WebSocketUpgrade(subprotocol: WebSocketListener.subprotocol) { [opened] channel in
                        let wire = WebSocketWire()
                        wire.attach(channel)
                        opened(wire)
                        return wire
                    }))
        }
    }

    @Test func aPhoneThatServesAWebSocketIsCalled() async throws {
        let box = WireBox()
        let server = try HTTPServer.start(
            configuration: ServerConfiguration(listen: try ListenAddress("127.0.0.1:0")),
            handler: ServingPhone { box.add($0) })
        let url = try #require(URL(string: "ws://\(server.address)/dat-bridge"))
        let lab = try await BridgeLab(.dialWebSocket(url), waitsForRefusal: false)
        #expect(try await eventually { box.last != nil })
        let phone = ScriptedPhone(try #require(box.last))
        guard case .welcomed = await lab.pair(phone) else {
            Issue.record("the phone was not let in")
            return
        }
        phone.tell(BridgeLab.available)
        #expect(try await eventually { lab.deliveries.all == [BridgeLab.available] })
        lab.bridge.link.send(.unregister)
        #expect(try await eventually { phone.commands == [.unregister] })
        await phone.leave()
        await lab.stop()
        await server.drain(within: .zero)
    }

    private final class WireBox: Sendable {
        private let wires = Mutex<[WebSocketWire]>([])
        var last: WebSocketWire? { wires.withLock { $0.last } }
        func add(_ wire: WebSocketWire) { wires.withLock { $0.append(wire) } }
    }
}
