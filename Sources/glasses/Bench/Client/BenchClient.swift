import Foundation
import GlassesCore

/// Holds the conversations of `glasses bench client` and writes the report.
struct BenchClient: Sendable {
    let options: BenchClientOptions
    let started: MonotonicTime
    let console: Console

    func run() async -> ExitStatus {
        let sessions: [BenchSession]
        do throws(Problem) {
            sessions = Self.sessions(options, frames: try BenchMicrophoneFile(path: options.microphone).frames)
        } catch {
            console.report(error)
            return .usage
        }
        let signals = EndSignals(console: console)
        let status = await converse(sessions, signals)
        await withTaskGroup(of: Void.self) { group in
            for session in sessions { group.addTask { await session.end() } }
        }
        return status
    }

    private static func sessions(_ options: BenchClientOptions, frames: [[Int16]]) -> [BenchSession] {
        let token =
            ProcessInfo.processInfo.environment["EXTENTOS_GATEWAY_TOKEN"].flatMap { $0.isEmpty ? nil : $0 } ?? "bench"
        // A proxy would be measured with the server.
        let endpoint = GatewayEndpoint(url: options.endpoint, token: { token }, proxy: .none)
        return (0..<options.sessions).map { _ in BenchSession(endpoint: endpoint, frames: frames, ticks: options.ticks)
        }
    }

    private func converse(_ sessions: [BenchSession], _ signals: EndSignals) async -> ExitStatus {
        do {
            for session in sessions { try await session.start() }
        } catch {
            console.report(Problem(session: error))
            return .gateway
        }
        let ready: BenchReport.Moment
        let ended: BenchReport.Moment
        do {
            (ready, ended) = try await options.isAsleep ? rest(sessions, signals) : tick(sessions, signals)
        } catch {
            console.report(Problem(session: error))
            return .gateway
        }
        var records: [BenchSessionRecord] = []
        for session in sessions { records.append(await session.record()) }
        do throws(Problem) {
            try BenchReport(started: started, ready: ready, ended: ended, sessions: records).write(to: options.report)
        } catch {
            console.report(error)
            return .unavailable
        }
        if sessions.allSatisfy(\.isAlive) || signals.isAsked { return .ok }
        console.report(Problem(code: "session_lost", "A session did not last. The report says why under 'errors'."))
        return .gateway
    }

    /// Puts the sessions to sleep, and lets them sleep until the time is over or the end is asked for.
    private func rest(
        _ sessions: [BenchSession], _ signals: EndSignals
    ) async throws -> (BenchReport.Moment, BenchReport.Moment) {
        for session in sessions { try await session.fallAsleep() }
        let ready = BenchReport.Moment.current
        tell("asleep")
        let seconds = options.seconds
        let wait: @Sendable () async -> Void = {
            // Only the end that was asked for cancels it.
            do { try await Task.sleep(for: .seconds(seconds)) } catch { return }
        }
        let asked: @Sendable () async -> Void = { await signals.wait() }
        await FirstOf.run([asked, wait])
        return (ready, BenchReport.Moment.current)
    }

    /// A line for whoever measures this process from outside.
    private func tell(_ event: String) {
        let line = JSONLine(
            seconds: started.duration(to: Stopwatch.now).seconds, event: event,
            fields: ["sessions": .int(Int64(options.sessions))])
        console.print(line.text)
    }

    /// Ticks until the time is over or the end is asked for; the moments just before the first tick and just after the last.
    private func tick(_ sessions: [BenchSession], _ signals: EndSignals) async -> (
        BenchReport.Moment, BenchReport.Moment
    ) {
        let ticker = BenchTicker(sessions: sessions.count, ticks: options.ticks)
        let watch = Task {
            await signals.wait()
            ticker.cancel()
        }
        defer { watch.cancel() }
        let ready = BenchReport.Moment.current
        tell("awake")
        let ended: BenchReport.Moment = await withCheckedContinuation { continuation in
            ticker.run(
                from: ready.time, tick: { sessions[$0].tick($1) },
                ended: { continuation.resume(returning: BenchReport.Moment.current) })
        }
        return (ready, ended)
    }
}
