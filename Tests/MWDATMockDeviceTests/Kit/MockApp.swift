import Foundation
import MWDATCore

@testable import MWDATMockDevice

/// An app with a toolkit and a mock kit of its own.
final class MockApp: Sendable {
    let hub: WearablesHub
    let kit: MockKit

    init(decoder: VideoDecoder? = VideoDecoder.find(), timekeeper: any Timekeeper = SystemTimekeeper.shared) {
        hub = WearablesHub(
            link: UnlinkedLink(), configuration: .mockDeviceKit, timekeeper: timekeeper,
            tokenRule: TokenRule(isStrict: false, warn: { _ in }))
        kit = MockKit(installer: HubInstaller(hub: hub), decoder: decoder)
    }

    /// An app whose kit is enabled and has glasses that are worn.
    static func worn(model: GlassesModel = .rayBanMeta) throws -> (MockApp, any MockGlasses) {
        let app = MockApp()
        app.kit.enable()
        let glasses = try app.kit.pairGlasses(model: model)
        glasses.don()
        return (app, glasses)
    }

    /// A session that has started on these glasses.
    func startedSession(on glasses: any MockGlasses) async throws -> DeviceSession {
        let identifier = glasses.deviceIdentifier
        try await waitUntil { hub.devices.contains(identifier) ? true : nil }
        let session = try hub.createSession(deviceSelector: SpecificDeviceSelector(device: identifier))
        try session.start()
        try await waitUntil { session.state == .started ? true : nil }
        return session
    }

    func end() {
        kit.disable()
        hub.shutDown()
    }
}

private struct HubInstaller: LinkInstaller {
    let hub: WearablesHub

    func install(_ link: (any WearablesLink)?) { hub.use(link: link ?? UnlinkedLink()) }
}

/// Where nothing is linked.
private final class UnlinkedLink: WearablesLink {
    func open(_ deliver: @escaping @Sendable (LinkEvent) -> Void) {
        deliver(.unavailable(Refusal(.companion, "Nothing is linked.", isRetryable: true)))
    }

    func send(_ command: LinkCommand) {}
    func close() {}
}
