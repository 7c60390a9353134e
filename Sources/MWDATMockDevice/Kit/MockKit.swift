import Foundation
import MWDATCore
import Synchronization

/// The kit: a stage, the toolkit's link to it, and its servers.
final class MockKit: MockDeviceKitInterface {
    private struct State {
        var isEnabled = false
        var linkServer: LinkServer?
        var testServer: TestServer?
    }

    let stage: MockStage
    private let installer: any LinkInstaller
    private let state = Mutex(State())
    /// Enabling and disabling are one after the other; they call the toolkit, so no lock is held.
    private let turns = DispatchQueue(label: "org.extentos.mock-kit")

    init(installer: any LinkInstaller, decoder: VideoDecoder? = VideoDecoder.find()) {
        self.installer = installer
        stage = MockStage(opener: MockFeedOpener(decoder: decoder))
    }

    var isEnabled: Bool { state.withLock { $0.isEnabled } }
    var permissions: any MockPermissions { StagePermissions(stage: stage) }
    var mockLinkPath: String? { state.withLock { $0.linkServer?.path } }

    var pairedDevices: [any MockDevice] {
        stage.look { $0.glasses.map(\.identifier) }.map { StageGlasses(deviceIdentifier: $0, stage: stage) }
    }

    // MARK: Enabling

    func enable(config: MockDeviceKitConfig) {
        turns.sync {
            if isEnabled { tearDown() }
            stage.operate(
                .enabled(isRegistered: config.initiallyRegistered, hasPermissions: config.initialPermissionsGranted))
            let server = openSocket()
            state.withLock { ($0.isEnabled, $0.linkServer) = (true, server) }
            installer.install(MockLink(stage: stage))
            installer.publish(socket: server?.path)
        }
    }

    func disable() { turns.sync { tearDown() } }

    func disable() async {
        await withCheckedContinuation { continuation in
            turns.async { [self] in
                tearDown()
                continuation.resume()
            }
        }
    }

    private func tearDown() {
        let (wasEnabled, linkServer) = state.withLock { state in
            defer { (state.isEnabled, state.linkServer) = (false, nil) }
            return (state.isEnabled, state.linkServer)
        }
        guard wasEnabled else { return }
        stopTestServer()
        stage.operate(.disabled)
        installer.publish(socket: nil)
        installer.install(nil)
        linkServer?.stop()
    }

    /// The kit is of use without it, so a failure is told and no more.
    private func openSocket() -> LinkServer? {
        do throws(LinkServerError) {
            return try LinkServer.start { [stage] in MockLink(stage: stage) }
        } catch {
            Warnings.tell("No plugin can reach the mock device kit. \(error.refusal.message)")
            return nil
        }
    }

    // MARK: Devices

    func pairGlasses(model: GlassesModel) throws(MockDeviceKitError) -> any MockGlasses {
        let glasses = StageGlasses(deviceIdentifier: UUID().uuidString, stage: stage)
        stage.operate(.paired(glasses.deviceIdentifier, model.deviceType, name: model.displayName))
        guard stage.look({ $0.find(glasses.deviceIdentifier) != nil }) else { throw .notEnabled }
        return glasses
    }

    func unpairDevice(_ device: any MockDevice) { stage.operate(.unpaired(device.deviceIdentifier)) }

    func unpairDevice(_ device: any MockDevice) async {
        stage.operate(.unpaired(device.deviceIdentifier))
        await stage.settle()
    }

    // MARK: Additions

    var faults: MockFaults {
        get { stage.look(\.faults) }
        set { stage.operate(.faultsSet(newValue)) }
    }

    var behavior: MockBehavior {
        get { stage.look(\.behavior) }
        set { stage.operate(.behaviorSet(newValue)) }
    }

    func dropTrust() { stage.operate(.trustLost) }

    // MARK: Test server

    func startTestServer(portFilePath: String?) async throws -> UInt16 {
        try await startTestServer(port: 0, portFilePath: portFilePath)
    }

    func startTestServer(port: UInt16, portFilePath: String?) async throws -> UInt16 {
        stopTestServer()
        let server = try TestServer.start(kit: self, port: port, files: TestServerFiles(portFilePath))
        let replaced = state.withLock { state in
            defer { state.testServer = server }
            return state.testServer
        }
        replaced?.stop()
        return server.port
    }

    func stopTestServer() {
        state.withLock { state in
            defer { state.testServer = nil }
            return state.testServer
        }?.stop()
    }
}

extension GlassesModel {
    /// The model as the toolkit names it.
    var deviceType: MWDATCore.DeviceType {
        switch self {
        case .rayBanMeta: .rayBanMeta
        case .oakleyMetaHSTN: .oakleyMetaHSTN
        case .oakleyMetaVanguard: .oakleyMetaVanguard
        case .rayBanMetaOptics: .rayBanMetaOptics
        case .metaGlasses: .metaGlasses
        case .metaRayBanDisplay: .metaRayBanDisplay
        }
    }

    /// The name that a person reads.
    var displayName: String {
        switch self {
        case .rayBanMeta: "Ray-Ban Meta"
        case .oakleyMetaHSTN: "Oakley Meta HSTN"
        case .oakleyMetaVanguard: "Oakley Meta Vanguard"
        case .rayBanMetaOptics: "Ray-Ban Meta Optics"
        case .metaGlasses: "Meta glasses"
        case .metaRayBanDisplay: "Meta Ray-Ban Display"
        }
    }
}
