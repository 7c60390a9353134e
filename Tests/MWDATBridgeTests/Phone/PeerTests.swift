import Foundation
import MWDATCamera
import MWDATCore
import PeerPhone
import Synchronization
import TestLink
import TestProcess
import Testing

@testable import MWDATBridge

/// An app's toolkit on this side and, on the other, a phone that was written in another language from the document
/// alone.
@Suite struct PeerTests {
    /// The host, and the phone once it was started.
    private final class Visit: Sendable {
        let bridge: DATBridge
        let host: WearablesHub
        let code: String
        private let running = Mutex<PeerPhone?>(nil)

        init(_ transport: DATBridgeConfiguration.Transport) throws {
            let codes = Log<String>()
            bridge = try DATBridge(
                DATBridgeConfiguration(
                    transport: transport, name: "lab", pairingFile: temporaryPath("dat.json"), heartbeat: .seconds(5)),
                onPairingCode: { codes.append($0.text) })
            code = codes.all.last ?? ""
            host = WearablesHub.test(bridge.link)
        }

        /// Starts the phone, whose app is not registered yet.
        func start(_ scheme: String) throws -> PeerPhone {
            let peer = try PeerPhone(
                "--connect", "\(scheme)://\(bridge.address ?? "")", keeping: temporaryPath("peer.json"), code: code,
                ["--unregistered"])
            running.withLock { $0 = peer }
            return peer
        }

        func stop() async {
            await onThread { [self] in
                running.withLock { $0 }?.end()
                bridge.stop()
                host.shutDown()
            }
        }
    }

    /// An app's session with a running camera of the glasses of that name.
    private func startCamera(_ host: WearablesHub, _ glasses: String) async throws -> (DeviceSession, Camera) {
        let session = try host.createSession(deviceSelector: SpecificDeviceSelector(device: glasses))
        try session.start()
        #expect(try await eventually { session.state == .started })
        let camera = try #require(
            try session.addCamera(config: StreamConfiguration(videoCodec: .raw, resolution: .low, frameRate: 15)))
        let sizes = Log<[Int]>()
        let token = camera.stream.videoFramePublisher.listen { frame in
            let picture = frame.sampleBuffer.imageBuffer
            sizes.append([picture?.width ?? 0, picture?.height ?? 0])
        }
        camera.stream.start()
        #expect(try await eventually { camera.stream.state == .streaming && sizes.all.count >= 5 })
        #expect(sizes.all.allSatisfy { $0 == [360, 640] })
        withExtendedLifetime(token) {}
        return (session, camera)
    }

    private func outcome(of camera: Camera) async -> Result<PhotoData, Refusal> {
        do throws(Refusal) { return .success(try await camera.stream.photo(format: .jpeg)) } catch {
            return .failure(error)
        }
    }

    private func isJPEG(_ outcome: Result<PhotoData, Refusal>) -> Bool {
        guard case .success(let photo) = outcome else { return false }
        return photo.data.starts(with: [0xFF, 0xD8]) && photo.data.suffix(2).elementsEqual([0xFF, 0xD9])
    }

    @Test(arguments: ["tcp", "ws"])
    func aPhoneOfAnotherLanguagePairsStreamsPhotographsAndComesBackAfterACut(_ scheme: String) async throws {
        let transport: DATBridgeConfiguration.Transport =
            scheme == "tcp" ? .listenTCP("127.0.0.1:0") : .listenWebSocket("127.0.0.1:0", tls: nil)
        let visit = try Visit(transport)
        let peer = try visit.start(scheme)
        try await pairAndRegister(visit.host, peer)
        let (session, camera) = try await startCamera(visit.host, "AB-1")
        #expect(isJPEG(await outcome(of: camera)))
        try await tapTwice(peer, session, camera)
        try await cutInMidPhoto(visit.host, peer, session, camera)
        // It comes back by its key, and everything works again.
        peer.tell("reconnect")
        #expect(try await eventually { visit.host.devices == ["AB-1", "AB-2"] })
        #expect(try await eventually { peer.secrets == ["code", "key"] })
        let (second, again) = try await startCamera(visit.host, "AB-1")
        #expect(isJPEG(await outcome(of: again)))
        try await fold(visit.host, peer, second, again)
        peer.tell("quit")
        #expect(try await eventually { peer.exitCode != nil && visit.host.devices.isEmpty })
        #expect(peer.exitCode == 0)
        #expect(peer.strangeLines.isEmpty)
        #expect(peer.count("breach") + peer.count("line_refused") + peer.count("skipped") == 0)
        await visit.stop()
    }

    @Test(arguments: ["tcp", "ws"])
    func aPhoneThatWaitsIsCalledAndServesAsOneThatCalls(_ scheme: String) async throws {
        let peer = try PeerPhone("--listen", "\(scheme)://127.0.0.1:0", keeping: temporaryPath("peer.json"))
        #expect(try await eventually { peer.reports.contains { $0.port != nil } })
        let address = "127.0.0.1:\(try #require(peer.reports.compactMap(\.port).first))"
        let url = try #require(URL(string: "ws://\(address)/dat-bridge"))
        let visit = try Visit(scheme == "tcp" ? .dialTCP(address) : .dialWebSocket(url))
        // It knew no code when it began to listen.
        peer.tell("code " + visit.code.lowercased())
        peer.tell("reconnect")
        #expect(try await eventually { visit.host.devices == ["AB-1", "AB-2"] })
        let (session, camera) = try await startCamera(visit.host, "AB-2")
        #expect(isJPEG(await outcome(of: camera)))
        session.stop()
        #expect(try await eventually { session.state == .stopped && session.endReason == nil })
        #expect(peer.count("breach") + peer.count("skipped") == 0)
        peer.end()
        await visit.stop()
    }

    private func pairAndRegister(_ host: WearablesHub, _ peer: PeerPhone) async throws {
        #expect(try await eventually { host.registrationState == .available })
        // Glasses are seen by registered apps alone.
        #expect(host.devices.isEmpty)
        try await host.startRegistration()
        #expect(try await eventually { host.registrationState == .registered })
        #expect(try await eventually { peer.count("received", kind: "register") == 1 })
        #expect(try await eventually { host.devices == ["AB-1", "AB-2"] })
        #expect(try await host.checkPermissionStatus(.camera) == .granted)
    }

    private func tapTwice(_ peer: PeerPhone, _ session: DeviceSession, _ camera: Camera) async throws {
        peer.tell("tap")
        #expect(try await eventually { session.state == .paused && camera.stream.state == .paused })
        peer.tell("tap")
        #expect(try await eventually { session.state == .started && camera.stream.state == .streaming })
    }

    private func cutInMidPhoto(
        _ host: WearablesHub, _ peer: PeerPhone, _ session: DeviceSession, _ camera: Camera
    ) async throws {
        peer.tell("cut-in-photo")
        #expect(try await eventually { peer.count("done") == 3 })
        let began = ContinuousClock.now
        guard case .failure(let refusal) = await outcome(of: camera) else {
            Issue.record("half a photo was taken for a photo")
            return
        }
        #expect(try await eventually { peer.count("cut_in_photo") == 1 })
        #expect(refusal.check == .transport && !refusal.message.isEmpty)
        // Long before the 8 s that a photo may take: the end of the connection tells.
        #expect(began.duration(to: .now) < .seconds(7))
        #expect(try await eventually { session.state == .stopped && host.devices.isEmpty })
        #expect(session.endReason?.check == .transport)
    }

    private func fold(
        _ host: WearablesHub, _ peer: PeerPhone, _ session: DeviceSession, _ camera: Camera
    ) async throws {
        peer.tell("fold")
        #expect(try await eventually { session.state == .stopped && camera.state == .stopped })
        #expect(session.endReason?.check == .hinges)
        #expect(try await eventually { host.deviceForIdentifier("AB-1")?.hingeState == .closed })
    }

    /// The phone's own tests, by which its author checked it against the document's examples.
    @Test func thePhonesOwnTestsPass() async throws {
        var tests = TestProcess("/bin/sh", ["-c", "cd \"$0\" && exec python3 -B -m unittest -q", PeerPhone.folder])
        tests.limit = .seconds(180)
        let outcome = try await tests.run()
        #expect(outcome.code == 0, "\(outcome.errors.suffix(2_000))")
        #expect(outcome.errors.contains("OK"))
    }
}
