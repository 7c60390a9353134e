import Foundation
import MWDATBridge
import MWDATCore
import TestLink
import Testing

extension SharedWearables {
    /// The process's toolkit over links that leave the process.
    @Suite(.serialized) struct RemoteLinksTests {
        init() { Wearables.resetForTesting() }

        private func eventually(_ condition: () -> Bool) async throws -> Bool {
            let deadline = ContinuousClock.now + .seconds(60)
            while !condition() {
                if ContinuousClock.now > deadline { return false }
                try await Task.sleep(for: .milliseconds(5))
            }
            return true
        }

        /// Runs what blocks on a thread of its own.
        private func onThread(_ body: @escaping @Sendable () -> Void) async {
            await withCheckedContinuation { continuation in
                Thread {
                    body()
                    continuation.resume()
                }.start()
            }
        }

        @Test func aMockLinkConfiguresTheToolkitAndItsGlassesGoWithTheServer() async throws {
            let server = try LinkServer.start(in: NSTemporaryDirectory()) { TestLink() }
            Wearables.use(mockLink: server.path)
            #expect(try await eventually { Wearables.sharedIfConfigured?.devices == ["glasses-1"] })
            #expect(Wearables.shared.registrationState == .registered)
            await onThread { server.stop() }
            #expect(try await eventually { Wearables.shared.devices.isEmpty })
            await onThread { Wearables.resetForTesting() }
        }

        @Test func aBridgeThatCannotBeSetUpChangesNothing() throws {
            let unusable = DATBridgeConfiguration(transport: .listenTCP("nowhere"), name: "lab", pairingFile: nil)
            #expect(throws: DATBridgeError.self) {
                try DATBridge.configure(unusable, app: .test, onPairingCode: { _ in })
            }
            #expect(Wearables.sharedIfConfigured == nil)
        }

        @Test func aBridgeConfiguresTheToolkitAndSaysWhatIsMissing() async throws {
            let codes = Log<String>()
            let bridge = try DATBridge.configure(
                DATBridgeConfiguration(transport: .listenTCP("127.0.0.1:0"), name: "lab", pairingFile: nil),
                app: .test, onPairingCode: { codes.append($0.text) })
            #expect(codes.all.count == 1)
            #expect(codes.all.first?.count == 11)
            #expect(try await eventually { Wearables.readiness().companionRefusal?.message.contains("phone") == true })
            await onThread {
                bridge.stop()
                Wearables.resetForTesting()
            }
        }
    }
}
