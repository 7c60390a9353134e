import Foundation
@_spi(ExtentosTools) import GlassesCore
import GlassesDomain
import Synchronization

/// Goes to a gateway step by step, as a session would, and tells at the first step that fails what is wrong and what to do.
///
/// All steps together are bounded: 5 s for the name, 6 s for the port, 10 s for the upgrade, 10 s for each answer, 3 s for the close.
struct GatewayCheckup: Sendable {
    /// What the checkup needs of the outside.
    struct Ports: Sendable {
        var addresses: @Sendable (String, Int) async -> Result<[PortProbe.Address], PortProbe.Failure>
        var connect: @Sendable ([PortProbe.Address]) async -> Result<PortProbe.Address, PortProbe.Failure>
        /// Opens a realtime connection, and says when TCP and TLS are agreed on.
        var connector: @Sendable (GatewayEndpoint, @escaping @Sendable () -> Void) -> RealtimeConnector
        var environment: [String: String]
        /// For each answer of the gateway; one that loads a model answers within the default.
        var answerLimit: Duration = .seconds(10)
    }

    let options: GatewayClientOptions
    let ports: Ports
    /// Gets each finding at once.
    let tell: @Sendable (Finding) -> Void

    /// Runs the steps up to the first that fails; whether all passed.
    func run() async -> Bool {
        guard let endpoint = settings(), let address = options.address else { return false }
        let route = NetworkRoute(to: address, environment: ports.environment)
        guard await reach(route), let connection = await open(endpoint, address) else { return false }
        return await GatewayGreeting(connection: connection, answerLimit: ports.answerLimit, tell: tell).run()
    }

    /// The URL, the token and the authorities, which nobody has to be asked about.
    private func settings() -> GatewayEndpoint? {
        if let problem = options.problem {
            tell(Finding("URL", Problem(code: problem.code, problem.message)))
            return nil
        }
        do throws(Problem) {
            guard let endpoint = try options.endpoint() else { return nil }
            let token = options.tokenOrigin.map { "with the token from \($0)" } ?? "without a token"
            tell(Finding(subject: "URL", level: .ok, text: "\(options.address?.url.absoluteString ?? "") \(token)"))
            return endpoint
        } catch {
            tell(Finding("settings", error))
            return nil
        }
    }

    private func reach(_ route: NetworkRoute) async -> Bool {
        let subject = route.proxyVariable.map { " of the proxy in \($0)" } ?? ""
        let lookup = Stopwatch()
        let addresses: [PortProbe.Address]
        switch await ports.addresses(route.host, route.port) {
        case .success(let found):
            addresses = found
            let list = found.map(\.text).joined(separator: ", ")
            tell(passed("name" + subject, "\(route.host) is \(list)", lookup))
        case .failure(let failure):
            tell(failed("name" + subject, failure.sentence, lookup))
            return false
        }
        let stopwatch = Stopwatch()
        switch await ports.connect(addresses) {
        case .success(let address):
            tell(passed("port" + subject, "\(address.text) answers at port \(route.port)", stopwatch))
            return true
        case .failure(let failure):
            tell(failed("port" + subject, "\(route.host) port \(route.port): \(failure.sentence)", stopwatch))
            return false
        }
    }

    private func open(_ endpoint: GatewayEndpoint, _ address: GatewayAddress) async -> (any RealtimeConnection)? {
        let stopwatch = Stopwatch()
        let connected = Mutex<Stopwatch?>(nil)
        let tellTLS: @Sendable () -> Void = {
            connected.withLock { $0 = Stopwatch() }
            if address.isEncrypted {
                tell(passed("TLS", "the certificate of \(address.host) is accepted", stopwatch))
            }
        }
        do {
            let connection = try await ports.connector(endpoint, tellTLS)
                .connect(RealtimeRequest(model: options.model))
            tell(passed("upgrade", "accepted as a WebSocket", connected.withLock { $0 } ?? stopwatch))
            return connection
        } catch {
            let diagnosis = UpgradeDiagnosis(error as? ConnectionClosure, hasToken: options.tokenOrigin != nil)
            tell(failed(diagnosis.step.rawValue, diagnosis.sentence, connected.withLock { $0 } ?? stopwatch))
            return nil
        }
    }

    private func passed(_ subject: String, _ text: String, _ stopwatch: Stopwatch) -> Finding {
        Finding(subject: subject, level: .ok, text: text, milliseconds: stopwatch.milliseconds)
    }

    private func failed(_ subject: String, _ text: String, _ stopwatch: Stopwatch) -> Finding {
        Finding(subject: subject, level: .failed, text: text, milliseconds: stopwatch.milliseconds)
    }
}

extension GatewayCheckup.Ports {
    /// The network of this machine.
    static var live: GatewayCheckup.Ports {
        GatewayCheckup.Ports(
            addresses: PortProbe.addresses(of:port:), connect: PortProbe.connect(to:),
            connector: Extentos.connector(to:connected:), environment: ProcessInfo.processInfo.environment)
    }
}

extension Stopwatch {
    /// Whole milliseconds since it began.
    var milliseconds: Int { Int((seconds * 1_000).rounded()) }
}
