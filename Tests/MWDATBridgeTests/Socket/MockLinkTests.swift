import Foundation
import Glibc
import MWDATCore
import Synchronization
import Testing

@Suite struct MockLinkTests {
    /// A server whose links a test can play.
    private final class Served: Sendable {
        let links = Mutex<[ScriptedLink]>([])
        var all: [ScriptedLink] { links.withLock { $0 } }
        var last: ScriptedLink? { links.withLock { $0.last } }

        func start() throws -> LinkServer {
            try LinkServer.start(in: NSTemporaryDirectory()) { [self] in
                let link = ScriptedLink()
                links.withLock { $0.append(link) }
                return link
            }
        }
    }

    private func open(_ server: LinkServer, _ deliveries: Deliveries) -> RemoteLink {
        let link = RemoteLink(mockLink: server.path, name: "test")
        link.open(deliveries.take)
        return link
    }

    @Test func commandsAndEventsCrossTheSocketInOrder() async throws {
        let served = Served()
        let server = try served.start()
        let deliveries = Deliveries()
        let link = open(server, deliveries)
        #expect(try await eventually { deliveries.all.count == 1 })
        for command in SampleMessages.commands { link.send(command) }
        #expect(try await eventually { served.last?.commands == SampleMessages.commands })
        let told = SampleMessages.events.filter { if case .unavailable = $0 { false } else { true } }
        for event in told where !LinkMessage.event(event).isMedia { served.last?.tell(event) }
        let expected =
            [.available(LinkPeer(name: "scripted", version: "1"))] + told.filter { !LinkMessage.event($0).isMedia }
        #expect(try await eventually { deliveries.all.count == expected.count })
        #expect(deliveries.all == expected)
        await onThread { link.close() }
        #expect(try await eventually { served.last?.isClosed == true })
        await onThread { server.stop() }
    }

    @Test func theFolderIsPrivateAndGoesWithTheServer() async throws {
        let server = try Served().start()
        let folder = (server.path as NSString).deletingLastPathComponent
        var information = stat()
        #expect(stat(folder, &information) == 0)
        #expect(information.st_mode & 0o777 == 0o700)
        #expect(stat(server.path, &information) == 0)
        #expect(information.st_mode & 0o777 == 0o600)
        await onThread { server.stop() }
        #expect(stat(folder, &information) != 0)
    }

    @Test func anEndOfTheServerIsToldOnceAndEndsTheSessions() async throws {
        let server = try Served().start()
        let deliveries = Deliveries()
        let link = open(server, deliveries)
        #expect(try await eventually { deliveries.all.count == 1 })
        await onThread { server.stop() }
        #expect(try await eventually { deliveries.refusals.count >= 1 })
        #expect(deliveries.refusals.first?.check == .transport)
        await onThread { link.close() }
    }

    @Test func withoutAServerTheFirstEventSaysThatThereIsNone() async throws {
        let deliveries = Deliveries()
        let link = RemoteLink(mockLink: "/nonexistent/link", name: "test")
        link.open(deliveries.take)
        #expect(try await eventually { deliveries.all.count == 1 })
        #expect(deliveries.refusals.map(\.check) == [.link])
        try await Task.sleep(for: .milliseconds(300))
        #expect(deliveries.all.count == 1, "trying again says nothing new")
        await onThread { link.close() }
    }

    @Test func aLinkComesBackWhenItsServerDoes() async throws {
        let served = Served()
        let server = try served.start()
        let moved = server.path + "-moved"
        let deliveries = Deliveries()
        let link = open(server, deliveries)
        #expect(try await eventually { deliveries.all.count == 1 })
        // The client's connection is cut, and the name is gone for a while.
        #expect(rename(server.path, moved) == 0)
        served.last?.tell(.devices([SampleMessages.device]))
        #expect(try await eventually { deliveries.all.count == 2 })
        served.last?.tell(oversized)
        #expect(try await eventually { deliveries.refusals.count == 1 })
        #expect(rename(moved, server.path) == 0)
        #expect(try await eventually { deliveries.all.last == .available(LinkPeer(name: "scripted", version: "1")) })
        #expect(served.all.count == 2)
        #expect(served.all.first?.isClosed == true)
        await onThread { link.close() }
        await onThread { server.stop() }
    }

    /// An event that must arrive and cannot: the server ends the connection over it.
    private var oversized: LinkEvent { .viewTapped(1, element: String(repeating: "e", count: 70_000)) }

    @Test func everyClientHasALinkOfItsOwn() async throws {
        let served = Served()
        let server = try served.start()
        let (first, second) = (Deliveries(), Deliveries())
        let links = [open(server, first), open(server, second)]
        #expect(try await eventually { first.all.count == 1 && second.all.count == 1 })
        links[0].send(.openSession(1, device: "a", takesOver: false))
        links[1].send(.openSession(1, device: "b", takesOver: false))
        #expect(try await eventually { served.all.allSatisfy { $0.commands.count == 1 } })
        await onThread { [link = links[0]] in link.close() }
        #expect(try await eventually { served.all.filter(\.isClosed).count == 1 })
        await onThread { [link = links[1]] in link.close() }
        await onThread { server.stop() }
    }

    @Test func aClientBeyondTheMostIsTurnedAway() async throws {
        let served = Served()
        let server = try served.start()
        let deliveries = (0...LinkServer.mostConnections).map { _ in Deliveries() }
        var links: [RemoteLink] = []
        for each in deliveries {
            links.append(open(server, each))
            #expect(try await eventually { !each.all.isEmpty })
        }
        #expect(deliveries.last?.refusals.isEmpty == false)
        #expect(served.all.count == LinkServer.mostConnections)
        for link in links { await onThread { link.close() } }
        await onThread { server.stop() }
        #expect(server.statistics.refused >= 1)
    }

    @Test func whatIsTooLargeToCarryIsRefusedByItsOwnAnswer() async throws {
        let served = Served()
        let server = try served.start()
        let deliveries = Deliveries()
        let link = open(server, deliveries)
        #expect(try await eventually { deliveries.all.count == 1 })
        link.send(.showView(1, 2, tree: Data(count: LinkLimits.payload + 1)))
        served.last?.tell(.photo(1, 3, LinkPhoto(format: .jpeg, bytes: Data(count: LinkLimits.payload + 1))))
        #expect(try await eventually { deliveries.all.count == 3 })
        #expect(deliveries.all.contains { if case .viewFailed(1, 2, _) = $0 { true } else { false } })
        #expect(deliveries.all.contains { if case .photoFailed(1, 3, _) = $0 { true } else { false } })
        await onThread { link.close() }
        await onThread { server.stop() }
    }

    @Test func aSlowClientMissesTheOldestPicturesAndNoEvent() async throws {
        let served = Served()
        let server = try served.start()
        let gate = DispatchSemaphore(value: 0)
        let deliveries = Deliveries()
        let link = RemoteLink(mockLink: server.path, name: "slow")
        link.open { event in
            if case .frame = event { gate.wait() }
            deliveries.take(event)
        }
        #expect(try await eventually { served.last?.isOpen == true && deliveries.all.count == 1 })
        served.last?.tell(.streamStarted(1, 2))
        for number in 0..<60 {
            let frame = LinkFrame(
                coding: .i420, width: 720, height: 1280, time: UInt64(number), bytes: Data(count: 720 * 1280 * 3 / 2))
            served.last?.tell(.frame(1, 2, frame))
        }
        served.last?.tell(.device(SampleMessages.device))
        #expect(server.statistics.droppedMedia > 0)
        for _ in 0..<60 { gate.signal() }
        #expect(try await eventually { deliveries.controls.count == 3 })
        let times = deliveries.all.compactMap { if case .frame(_, _, let frame) = $0 { frame.time } else { nil } }
        #expect(try await eventually { deliveries.all.count - 3 + server.statistics.droppedMedia == 60 })
        #expect(times == times.sorted())
        await onThread { link.close() }
        await onThread { server.stop() }
    }

    @Test func aLostCodedPictureMakesTheServerAskForOneThatStandsAlone() async throws {
        let served = Served()
        let server = try served.start()
        let deliveries = Deliveries()
        let wire = try #require(connect(to: server))
        #expect(wire.send(.control(.hello(LinkHello(versions: [1], name: "deaf", version: "1")))) == .accepted)
        #expect(try await eventually { served.last?.isOpen == true })
        for number in 0..<9 {
            let frame = LinkFrame(
                coding: .hvc1, width: 720, height: 1280, time: UInt64(number), isKeyFrame: number == 0,
                bytes: Data(count: 100))
            served.last?.tell(.frame(4, 5, frame))
        }
        #expect(try await eventually { served.last?.commands.contains(.requestKeyFrame(4, 5)) == true })
        #expect(deliveries.all.isEmpty)
        wire.finish(within: .zero)
        await onThread { server.stop() }
    }

    @Test(arguments: [
        Array("GET / HTTP/1.1\r\n\r\n".utf8), LinkPrefix.mark, LinkPrefix.mark + [255, 255, 255, 255, 0, 0, 0, 0],
    ])
    func bytesThatAreNoGreetingReachNoLink(_ bytes: [UInt8]) async throws {
        let served = Served()
        let server = try served.start()
        let descriptor = try #require(rawConnection(to: server))
        #expect(write(descriptor, bytes, bytes.count) == bytes.count)
        shutdown(descriptor, Int32(SHUT_WR))
        #expect(try await eventually { server.statistics.refused == 1 })
        close(descriptor)
        await onThread { server.stop() }
        #expect(served.all.isEmpty)
    }

    @Test func anotherVersionIsRefusedByName() async throws {
        let server = try Served().start()
        let wire = try #require(connect(to: server))
        wire.send(.control(.hello(LinkHello(versions: [2, 3], name: "newer", version: "9"))))
        let answer = await onThread { wire.receive(until: .now + .seconds(60)) }
        guard case .message(.control(.refused(let refused))) = answer else {
            Issue.record("the answer was \(answer)")
            return
        }
        #expect(refused.code == .version)
        wire.finish(within: .zero)
        await onThread { server.stop() }
    }

    @Test func aPhotoThatIsCutInTheMiddleIsNotDeliveredAndTheLinkSaysWhy() async throws {
        let ends = try socketPair()
        let wire = try #require(SocketWire(descriptor: ends.0))
        let photo = try LinkMessage.event(.photo(1, 2, LinkPhoto(format: .jpeg, bytes: Data(count: 50_000)))).encoded()
            .bytes
        #expect(write(ends.1, photo, 30_000) == 30_000)
        close(ends.1)
        let arrival = await onThread { wire.receive(until: .now + .seconds(60)) }
        guard case .ended(let refusal) = arrival else {
            Issue.record("it brought \(arrival)")
            return
        }
        #expect(refusal.check == .transport && refusal.message.contains("cut"))
    }

    @Test func closingDuringAConnectReturnsAndDeliversNothingMore() async throws {
        let served = Served()
        let server = try served.start()
        for _ in 0..<20 {
            let deliveries = Deliveries()
            let link = open(server, deliveries)
            await onThread { link.close() }
            let count = deliveries.all.count
            try await Task.sleep(for: .milliseconds(1))
            #expect(deliveries.all.count == count)
        }
        await onThread { server.stop() }
    }

    private func rawConnection(to server: LinkServer) -> Int32? {
        let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: server.path.utf8) }
        let result = withUnsafePointer(to: address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                Glibc.connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        return result == 0 ? descriptor : nil
    }

    private func connect(to server: LinkServer) -> SocketWire? {
        rawConnection(to: server).flatMap { SocketWire(descriptor: $0) }
    }
}
