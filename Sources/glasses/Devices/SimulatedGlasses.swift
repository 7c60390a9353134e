import Foundation
import GlassesCore
import MWDATMockDevice

/// The simulated glasses of `--device meta --mock`: this program's own mock device kit.
enum SimulatedGlasses {
    static let option = OptionSpec(
        "--mock",
        help: "With --device meta: simulated Ray-Ban Meta glasses that are worn, whose camera shows a test pattern. "
            + "'glasses mock' in another terminal scripts them.")

    /// Enables the kit with one pair of glasses, and its test server; without the server the glasses work all the same.
    static func start(_ console: Console) async -> Problem? {
        let kit = MockDeviceKit.shared
        kit.enable()
        do throws(MockDeviceKitError) {
            try kit.pairGlasses(model: .rayBanMeta).don()
        } catch {
            return Problem(code: "mock_unavailable", "The simulated glasses could not be paired: \(error.description)")
        }
        do { _ = try await kit.startTestServer(portFilePath: nil) } catch {
            console.note("glasses: 'glasses mock' cannot reach these glasses: \(error.localizedDescription)")
        }
        return nil
    }
}
