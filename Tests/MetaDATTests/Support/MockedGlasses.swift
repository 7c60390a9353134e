import Foundation
import GlassesCore
import MWDATCore
import Synchronization
import Testing

@testable import MWDATMockDevice

/// An app with glasses of its own mock kit, behind the plugin in a process of its own.
final class MockedGlasses: Sendable {
    let kit: MockKit
    let worn: any MockGlasses
    let app: any ExtentosGlasses

    /// A kit whose toolkit is the plugin's, and no other one.
    private struct NoInstaller: LinkInstaller {
        func install(_ link: (any WearablesLink)?) {}
    }

    init(
        model: GlassesModel = .rayBanMeta, _ config: MockDeviceKitConfig = MockDeviceKitConfig(),
        audio: [String: JSONValue] = ["audio": "none"], uses: [DeclaredCapability] = []
    ) throws {
        let kit = MockKit(installer: NoInstaller(), decoder: nil)
        kit.enable(config: config)
        worn = try kit.pairGlasses(model: model)
        worn.don()
        let path = try #require(kit.mockLinkPath)
        self.kit = kit
        let settings: [String: JSONValue] = ["mockLink": .string(path)]
        app = Extentos.create(
            config: ExtentosConfig(
                appId: "meta-dat-tests",
                transport: .plugin(id: "org.extentos.meta-dat", settings: settings.merging(audio) { own, _ in own }),
                usedCapabilities: uses))
    }

    /// Connects; throws why it cannot.
    func connected() async throws {
        if case .failure(let error) = await app.connect() { throw error }
    }

    func end() async {
        await app.shutdown()
        await kit.disable()
    }

    /// The payloads of the log events called `message`, in order.
    func told(_ message: String) async -> [JSONValue] {
        await app.runtime.snapshotEvents().compactMap { event in
            guard case .log(_, message, let payload) = event else { return nil }
            return payload ?? .null
        }
    }

    /// The URL with which the companion answers.
    static func url(_ question: CompanionRequest.Question, agrees: Bool) throws -> URL {
        let request = CompanionRequest(question: question, appName: "meta-dat-tests", callbackScheme: "extentos://")
        return try #require(agrees ? request.agreed() : request.declined())
    }
}

/// Waits for a condition, at most half a minute: a busy machine starts processes slowly.
func eventually(
    _ what: Comment, sourceLocation: SourceLocation = #_sourceLocation, _ condition: () async -> Bool
) async {
    let deadline = ContinuousClock.now + .seconds(30)
    while ContinuousClock.now < deadline {
        if await condition() { return }
        do { try await Task.sleep(for: .milliseconds(10)) } catch { return }
    }
    Issue.record(what, sourceLocation: sourceLocation)
}
