import Glibc
import GlassesPluginKit
import MWDATBridge
import MWDATCore

/// The process's toolkit, which every instance of the plugin in it shares.
enum Toolkit {
    /// As long as a stored registration takes to be known.
    private static let patience: Duration = .milliseconds(2_500)
    private static let glance: UInt32 = 20_000

    /// Configures the toolkit and leads it to the glasses of `settings`. A bridge shows its pairing code through `host`; it lasts as long
    /// as it is kept.
    static func open(
        _ settings: MetaSettings, _ host: TransportHost
    ) throws(PluginFailure) -> (any WearablesInterface, DATBridge?) {
        var bridge: DATBridge?
        switch settings.way {
        case .mockLink(let path): Wearables.use(mockLink: path, configuration: settings.app)
        case .bridge(let way): bridge = try open(way, settings.app, host)
        case .none: try configure(settings.app)
        }
        guard let shared = Wearables.sharedIfConfigured else {
            throw .failed("no_toolkit", "The toolkit could not be configured. Check the settings.")
        }
        return (shared, bridge)
    }

    private static func open(
        _ way: DATBridgeConfiguration, _ app: Configuration, _ host: TransportHost
    ) throws(PluginFailure) -> DATBridge {
        do throws(DATBridgeError) {
            return try DATBridge.configure(way, app: app) { code in
                host.reportPairingCode(
                    code.text, message: "Type this code into the phone's app; it is valid for ten minutes.")
            }
        } catch {
            throw .invalid("bridge_" + error.code, error.message)
        }
    }

    private static func configure(_ app: Configuration) throws(PluginFailure) {
        guard Wearables.sharedIfConfigured == nil else { return }
        do throws(WearablesError) { try Wearables.configure(app) } catch {
            throw .invalid("invalid_settings", "The app's facts cannot be used: \(error.description)")
        }
    }

    /// Waits until the registration is known, and the glasses of a registered app with it; 2.5 s at most.
    static func waitForGlasses() {
        let end = ContinuousClock.now + patience
        while ContinuousClock.now < end {
            let readiness = Wearables.readiness()
            switch readiness.registration {
            case .registered where !readiness.devices.isEmpty: return
            case .available, .registering: return
            case .registered, .unavailable: usleep(glance)
            }
        }
    }
}
