import Foundation
import MWDATCamera
import MWDATCore
import Synchronization
import TestLink
import Testing

@testable import DATBridgePhone
@testable import MWDATBridge

/// The phone's source, between a toolkit with test glasses and a bridge with another toolkit: a whole chain in one
/// process.
@Suite struct PhoneAppTests {
    /// The chain; the app of a test talks to `host`.
    private final class Chain: Sendable {
        let bridge: DATBridge
        let host: WearablesHub
        let glasses = TestLink()
        let phone: WearablesHub
        let code = Mutex("")
        let pairing = Mutex<Pairing?>(nil)
        private let socket = Mutex<LoopbackSocket?>(nil)
        private let running = Mutex<Task<Void, any Error>?>(nil)

        /// A phone that is paired already, unless a test is about pairing: hashing a code takes a busy machine a while.
        init(isPaired: Bool = true) throws {
            let holder = CodeHolder()
            let path = temporaryPath("dat.json")
            if isPaired {
                let store = try PairingStore(path: path)
                let key = [UInt8](repeating: 9, count: 32)
                try store.keep(PairedPhone(identifier: "phone-1", name: "Test phone"), key: key)
                pairing.withLock { $0 = Pairing(host: store.host, key: Data(key), heartbeat: 5) }
            }
            bridge = try DATBridge(
                DATBridgeConfiguration(transport: .listenTCP("127.0.0.1:0"), name: "lab", pairingFile: path),
                onPairingCode: { holder.set($0.text) })
            host = WearablesHub.test(bridge.link)
            phone = WearablesHub.test(glasses)
            code.withLock { $0 = holder.text }
        }

        /// Connects the phone, by the code or by the key of an earlier connection.
        func connect(code: String? = nil) throws {
            let secret: PhoneSecret =
                pairing.withLock { $0 }.map { .key($0.key, host: $0.host) }
                ?? .code(code ?? self.code.withLock { $0 })
            let socket = try LoopbackSocket(bridge.address ?? "")
            self.socket.withLock { $0 = socket }
            let app = PhoneBridge(
                wearables: phone, socket: socket,
                identity: PhoneIdentity(name: "Test phone", version: "1", peer: "phone-1"), hash: .linux)
            let task = Task { [self] in
                try await app.run(secret) { paired in pairing.withLock { $0 = paired } }
            }
            running.withLock { $0 = task }
        }

        func cut() { socket.withLock { $0 }?.close() }

        /// What ended the phone's connection.
        func end() async -> String {
            guard let task = running.withLock({ $0 }) else { return "" }
            do {
                try await task.value
                return "farewell"
            } catch {
                return "\(error)"
            }
        }

        func stop() async {
            await onThread { [self] in
                bridge.stop()
                host.shutDown()
                phone.shutDown()
            }
        }
    }

    private final class CodeHolder: Sendable {
        private let code = Mutex("")
        var text: String { code.withLock { $0 } }
        func set(_ text: String) { code.withLock { $0 = text } }
    }

    private func picture(_ number: UInt64) -> LinkFrame {
        LinkFrame(
            coding: .i420, width: 360, height: 640, time: number * 33_000_000, bytes: Data(count: 360 * 640 * 3 / 2))
    }

    private func outcome(of camera: Camera) async -> Result<PhotoData, Refusal> {
        do throws(Refusal) { return .success(try await camera.stream.photo(format: .jpeg)) } catch {
            return .failure(error)
        }
    }

    /// An app's session with a running camera, through the whole chain.
    private func startCamera(_ chain: Chain, _ pictures: Log<Int>) async throws -> (DeviceSession, Camera) {
        try chain.connect()
        #expect(try await eventually { chain.host.devices == ["glasses-1"] })
        let session = try chain.host.createSession(deviceSelector: SpecificDeviceSelector(device: "glasses-1"))
        try session.start()
        #expect(try await eventually { session.state == .started })
        let camera = try #require(
            try session.addCamera(config: StreamConfiguration(videoCodec: .raw, resolution: .low, frameRate: 30)))
        let token = camera.stream.videoFramePublisher.listen { frame in
            pictures.append(frame.sampleBuffer.imageBuffer?.width ?? 0)
        }
        camera.stream.start()
        let started = try await eventually {
            chain.glasses.commands.contains { if case .startStream = $0 { true } else { false } }
        }
        #expect(started)
        let run = try #require(
            chain.glasses.commands.compactMap { command -> (LinkSession, LinkStream)? in
                if case .startStream(let session, let stream, _) = command { (session, stream) } else { nil }
            }.last)
        for number in UInt64(1)...5 { chain.glasses.deliver(.frame(run.0, run.1, picture(number))) }
        #expect(try await eventually { camera.stream.state == .streaming && !pictures.all.isEmpty })
        withExtendedLifetime(token) {}
        return (session, camera)
    }

    @Test func anAppGetsPicturesAndAPhotoOfGlassesBehindThePhone() async throws {
        let chain = try Chain()
        let pictures = Log<Int>()
        let photo = LinkPhoto(format: .jpeg, bytes: Data([0xFF, 0xD8, 0xFF, 0xE0]) + Data(count: 200_000))
        chain.glasses.answer { command in
            if case .capturePhoto(let session, let request, _) = command {
                [.photo(session, request, photo)]
            } else {
                nil
            }
        }
        let (session, camera) = try await startCamera(chain, pictures)
        #expect(pictures.all.allSatisfy { $0 == 360 })
        let taken = try await camera.stream.photo(format: .jpeg)
        #expect(taken.data == photo.bytes)
        #expect(try await chain.host.checkPermissionStatus(.camera) == .granted)
        chain.glasses.deliver(.device(.test { $0.batteryLevel = 12 }))
        #expect(try await eventually { chain.host.deviceForIdentifier("glasses-1")?.batteryLevel == 12 })
        session.stop()
        #expect(try await eventually { session.state == .stopped && session.endReason == nil })
        #expect(camera.state == .stopped)
        await chain.stop()
    }

    @Test func aPauseOnTheGlassesPausesTheAppsStream() async throws {
        let chain = try Chain()
        let pictures = Log<Int>()
        let (session, camera) = try await startCamera(chain, pictures)
        let opened = try #require(chain.glasses.openedSession)
        chain.glasses.deliver(.sessionPaused(opened))
        #expect(try await eventually { session.state == .paused })
        chain.glasses.deliver(.sessionResumed(opened))
        #expect(try await eventually { session.state == .started })
        chain.glasses.deliver(.sessionEnded(opened, Refusal(.hinges, "Folded.", isRetryable: true)))
        #expect(try await eventually { session.state == .stopped && camera.state == .stopped })
        #expect(session.endReason != nil)
        await chain.stop()
    }

    @Test func aCutInMidPhotoEndsItWithAReasonAndThePhoneComesBackByItsKey() async throws {
        let chain = try Chain()
        let pictures = Log<Int>()
        let (session, camera) = try await startCamera(chain, pictures)
        async let photo = outcome(of: camera)
        let isAsked = try await eventually {
            chain.glasses.commands.contains { if case .capturePhoto = $0 { true } else { false } }
        }
        #expect(isAsked)
        chain.cut()
        guard case .failure(let refusal) = await photo else {
            Issue.record("a photo came over a cut link")
            return
        }
        #expect(!refusal.message.isEmpty)
        #expect(try await eventually { session.state == .stopped })
        #expect(chain.host.devices.isEmpty)
        // The phone frees the glasses, and comes back without a code.
        let isFree = try await eventually {
            chain.glasses.commands.contains { if case .closeSession = $0 { true } else { false } }
        }
        #expect(isFree)
        try chain.connect()
        #expect(try await eventually { chain.host.devices == ["glasses-1"] })
        await chain.stop()
    }

    @Test func thePhonePairsByTheCodeThatAPersonTypes() async throws {
        let chain = try Chain(isPaired: false)
        try chain.connect(code: chain.code.withLock { $0.lowercased() })
        #expect(try await eventually { chain.host.devices == ["glasses-1"] })
        #expect(chain.pairing.withLock { $0?.key.count } == 32)
        await chain.stop()
    }

    @Test func aWrongCodeIsToldInTheHostsWords() async throws {
        let chain = try Chain(isPaired: false)
        try chain.connect(code: "AAAAA-AAAA2")
        #expect(await chain.end().contains("code"))
        #expect(chain.pairing.withLock { $0 } == nil)
        await chain.stop()
    }

    @Test func theHostsFarewellEndsThePhonesConnection() async throws {
        let chain = try Chain()
        try chain.connect()
        #expect(try await eventually { !chain.host.devices.isEmpty })
        await onThread { chain.bridge.stop() }
        #expect(await chain.end().contains("host"))
        await chain.stop()
    }
}
