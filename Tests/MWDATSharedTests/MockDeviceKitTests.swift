import MWDATCamera
import MWDATCore
import MWDATMockDevice
import Testing

extension SharedWearables {
    /// The process's kit and toolkit, as an app has them: without a configuration file.
    @Suite(.serialized) struct MockDeviceKitTests {
        init() { Wearables.resetForTesting() }

        private func wait(until body: () -> Bool) async throws -> Bool {
            let deadline = ContinuousClock.now.advanced(by: .seconds(30))
            while !body() {
                guard ContinuousClock.now < deadline else { return false }
                try await Task.sleep(for: .milliseconds(10))
            }
            return true
        }

        @Test("Without configure() and without a file an enabled kit gives a picture") func picture() async throws {
            MockDeviceKit.shared.enable()
            let wearables = Wearables.shared
            #expect(try await wait { wearables.registrationState == .registered })
            let glasses = try MockDeviceKit.shared.pairGlasses(model: .rayBanMeta)
            glasses.don()
            let selector = AutoDeviceSelector(wearables: wearables)
            #expect(try await wait { selector.activeDevice == glasses.deviceIdentifier })
            let session = try wearables.createSession(deviceSelector: selector)
            try session.start()
            #expect(try await wait { session.state == .started })
            let camera = try #require(try session.addCamera(config: StreamConfiguration()))
            camera.stream.start()
            #expect(try await wait { camera.stream.state == .streaming })
            let photo = try await camera.stream.photo()
            #expect(photo.data.starts(with: [0xFF, 0xD8, 0xFF]))
            await MockDeviceKit.shared.disable()
            await session.waitUntilStopped()
            #expect(camera.stream.state == .stopped)
        }

        @Test("A kit that is enabled after configure() keeps the app's configuration") func configured() async throws {
            let own = Configuration(bundleIdentifier: "com.example.app", appName: "Own", appLinkURLScheme: "own://")
            try Wearables.configure(own)
            MockDeviceKit.shared.enable(config: MockDeviceKitConfig(initiallyRegistered: false))
            #expect((Wearables.shared as? WearablesHub)?.configuration == own)
            #expect(Wearables.shared.registrationState == .unavailable)
            await MockDeviceKit.shared.disable()
            #expect(!MockDeviceKit.shared.isEnabled)
        }
    }
}
