import Foundation
@_spi(ExtentosTools) import GlassesCore
import GlassesGateway
import GlassesPipeline
import GlassesPluginHost
import GlassesServer

/// Runs a gateway until the program is asked to end.
struct GatewayProgram: Sendable {
    let options: GatewayOptions
    let console: Console
    private let environment = ProcessInfo.processInfo.environment

    init(options: GatewayOptions, console: Console) {
        self.options = options
        self.console = console
    }

    func run() async -> ExitStatus {
        let signals = EndSignals(console: console)
        // A script that reads the first line and goes away wants the gateway to stay.
        console.whenReaderLeaves {}
        let journal = GatewayJournal(console: console, isJSON: options.isJSON)
        let brain: BrainSelection
        do throws(Problem) { brain = try options.brain.selection() } catch {
            console.report(error)
            return .usage
        }
        do {
            let engines = await GatewayEngines.load(PluginHost(), options.speech, brain) { _, notice in
                guard case .replaced(let name, let former, let error) = notice else { return }
                console.note(
                    "glasses: \(name) serves instead of \(former). \(error?.message ?? "It works again.")")
            } noticed: { notice in
                guard case .brainReplaced(let name, let former, let reason) = notice else { return }
                console.note(
                    "glasses: \(name) answers instead of \(former). \(reason?.message ?? "It answers again.")")
            }
            engines.reportProblems(to: console)
            let configuration = try configuration(engines.pipeline, journal: journal)
            let gateway = try Gateway.start(configuration, clock: .live)
            journal.listening(gateway.baseURL)
            journal.ready(GatewayFacts(configuration: configuration, engines: engines))
            await signals.wait()
            journal.draining()
            await gateway.shutDown()
            await engines.shutdown()
            journal.stopped()
            return .ok
        } catch {
            console.report(Problem(error))
            return error.code == "address_in_use" ? .unavailable : .usage
        }
    }

    private func configuration(
        _ engines: PipelineEngines, journal: GatewayJournal
    ) throws(GatewayError) -> GatewayConfiguration {
        let server = ServerConfiguration(
            listen: options.address, hosts: options.hosts, allowedOrigins: options.origins, tls: options.tls)
        var configuration = GatewayConfiguration(server: server, engines: engines)
        configuration.tokens = try tokens()
        configuration.upstreams = try options.upstreamFile.map { (path) throws(GatewayError) in
            try UpstreamFile.load(path, environment: environment)
        }
        configuration.memoryFolder = options.memoryFolder
        configuration.maximumSessions = options.maximumSessions ?? configuration.maximumSessions
        configuration.maximumSessionsPerToken = options.maximumSessionsPerToken
        configuration.sessionLength = options.sessionLength ?? configuration.sessionLength
        configuration.drain = options.drain ?? configuration.drain
        configuration.onEvent = { journal.write($0) }
        return configuration
    }

    /// A file that was named overrules the environment.
    private func tokens() throws(GatewayError) -> GatewayTokens? {
        if let file = options.tokenFile { return try GatewayTokens(file: file) }
        guard let value = environment[GatewayTokens.environmentVariable] else { return nil }
        return try GatewayTokens(variable: value)
    }
}

extension Problem {
    /// A gateway that does not start.
    init(_ error: GatewayError) {
        self.init(
            code: error.code, error.message,
            command: error.code == "address_in_use" ? "glasses gateway --listen 127.0.0.1:0" : nil)
    }
}
