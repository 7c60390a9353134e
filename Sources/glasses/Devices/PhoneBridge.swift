import Foundation
import GlassesCore

/// The phone of `--bridge`, which has the vendor's toolkit and leads to its glasses (`docs/dat-bridge.md`).
struct PhoneBridge: Sendable, Hashable {
    static let option = OptionSpec(
        "--bridge", .text("ADDRESS"),
        help: "With --device meta: the glasses of a phone whose app speaks the bridge's protocol. tcp://HOST:PORT, "
            + "ws:// and wss:// call the phone; listen-tcp://HOST:PORT and listen-ws://HOST:PORT wait for it. A new phone is "
            + "let in by a code that is shown.")

    private static let schemes = ["tcp://", "ws://", "wss://", "listen-tcp://", "listen-ws://"]

    /// A code's life, within which somebody types it.
    private static let pairingPatience = Duration.seconds(600)
    /// A paired phone's app is being opened.
    private static let patience = Duration.seconds(30)
    private static let pause = Duration.milliseconds(500)

    let address: String

    /// Nil for an address of another kind.
    init?(_ address: String) {
        guard Self.schemes.contains(where: { address.hasPrefix($0) && address.count > $0.count }) else { return nil }
        self.address = address
    }

    /// The plugin's settings. Paired phones are remembered in the one folder that the plugin may write.
    var settings: [String: JSONValue] {
        ["bridge": .string(address), "pairingFile": .string(Self.folder.appendingPathComponent("phones.json").path)]
    }

    private static var folder: URL {
        // As the plugin's permission is read: NSHomeDirectory does not follow the variable.
        URL(fileURLWithPath: ProcessInfo.processInfo.environment["HOME"] ?? NSHomeDirectory())
            .appendingPathComponent(".local/share/extentos/dat-bridge")
    }

    /// Connects to the phone's glasses, shows a code where one is needed, and waits until somebody has typed it.
    func connect(_ glasses: any ExtentosGlasses, _ console: Console) async -> ConnectError? {
        if let failure = Self.makeFolder() { return failure }
        let showing = Task {
            for await code in glasses.connection.pairingCode.stream {
                if let code { console.note("glasses: the code is \(code.text). \(code.instruction)") }
            }
        }
        defer {
            showing.cancel()
            console.showProgress(nil)
        }
        let start = ContinuousClock.now
        while true {
            guard let failure = await glasses.connect().failure else { return nil }
            let isPairing = glasses.connection.pairingCode.current != nil
            let isEarly = failure == .registrationRequired || failure == .noDeviceAvailable
            guard isEarly, start.duration(to: .now) < (isPairing ? Self.pairingPatience : Self.patience) else {
                return failure
            }
            console.showProgress(isPairing ? "Waiting for the code to be typed …" : "Waiting for the phone …")
            do { try await Task.sleep(for: Self.pause) } catch { return failure }
        }
    }

    private static func makeFolder() -> ConnectError? {
        do {
            try FileManager.default.createDirectory(
                at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
            return nil
        } catch {
            return .transportFailure(
                code: "device_unavailable",
                message: "The folder for paired phones, \(folder.path), cannot be made. Check who owns it.")
        }
    }
}

extension DeviceOptions {
    /// Connects to the device.
    func connect(_ glasses: any ExtentosGlasses, _ console: Console) async -> ConnectError? {
        if let bridge { return await bridge.connect(glasses, console) }
        return await glasses.connect().failure
    }
}
