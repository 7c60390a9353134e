import GlassesCore
import GlassesDomain
import GlassesRealtime

/// The first words with a gateway: its session, a change of it, and the close.
struct GatewayGreeting: Sendable {
    /// A connection ends within 2 s of its close.
    private static let closeLimit: Duration = .seconds(3)
    /// The longest text of a peer that is shown.
    private static let textLimit = 300

    /// What came in place of the awaited event.
    private enum Surprise: Error {
        case error(RealtimeErrorInfo)
        case closed(ConnectionClosure)
        case unreadable(String)
        case other(String)
        case nothing
    }

    let connection: any RealtimeConnection
    /// For each answer of the gateway.
    let answerLimit: Duration
    /// Gets each finding at once.
    let tell: @Sendable (Finding) -> Void

    /// Runs the steps up to the first that fails; whether all passed.
    func run() async -> Bool {
        let inbox = GatewayInbox(connection.inbound)
        var entries = inbox.entries.makeAsyncIterator()
        let isWell = await greet(&entries)
        let isClosed = await close(&entries, tells: isWell)
        inbox.cancel()
        return isWell && isClosed
    }

    private func greet(_ entries: inout GatewayInbox.Iterator) async -> Bool {
        let model = await step("first event", &entries) { event in
            guard case .sessionCreated(let session) = event else { return nil }
            return "session.created" + (session.model.map { " of the model \(Self.shown($0))" } ?? "")
        }
        guard model else { return false }
        var update = SessionUpdate()
        update.outputModalities = [.audio]
        update.input.format = .standard
        update.output.format = .standard
        let message = RealtimeCodec.encode(.sessionUpdate(update))
        guard connection.send(.text(message), lane: .control) == .accepted else {
            tell(Finding(subject: "session.update", level: .failed, text: "The connection was lost. Run this again."))
            return false
        }
        return await step("session.update", &entries) { event in
            if case .sessionUpdated = event { "answered with session.updated" } else { nil }
        }
    }

    /// Waits for the event that `expected` has a text for.
    private func step(
        _ subject: String, _ entries: inout GatewayInbox.Iterator, _ expected: (ServerEvent) -> String?
    ) async -> Bool {
        let stopwatch = Stopwatch()
        let end = Stopwatch.now.advanced(by: answerLimit)
        while let inbound = await GatewayInbox.next(&entries, until: end) {
            switch read(inbound) {
            case .success(let event):
                if let text = expected(event) {
                    tell(
                        Finding(subject: subject, level: .ok, text: text, milliseconds: stopwatch.milliseconds))
                    return true
                }
            case .failure(let surprise):
                tell(failed(subject, surprise, stopwatch))
                return false
            }
        }
        tell(failed(subject, .nothing, stopwatch))
        return false
    }

    private func read(_ inbound: RealtimeInbound) -> Result<ServerEvent, Surprise> {
        switch inbound {
        case .closed(let closure): return .failure(.closed(closure))
        case .message(.binary): return .failure(.other("a binary message"))
        case .message(.text(let bytes)):
            do throws(RealtimeCodecError) {
                let event = try RealtimeCodec.decodeServerEvent(bytes).event
                if case .error(let error) = event { return .failure(.error(error)) }
                return .success(event)
            } catch {
                return .failure(.unreadable(error.code))
            }
        }
    }

    private func close(_ entries: inout GatewayInbox.Iterator, tells: Bool) async -> Bool {
        let stopwatch = Stopwatch()
        connection.close(code: 1000, reason: "")
        let end = Stopwatch.now.advanced(by: Self.closeLimit)
        while let inbound = await GatewayInbox.next(&entries, until: end) {
            guard case .closed(let closure) = inbound else { continue }
            let isClean = closure.closeCode == 1000
            if tells {
                tell(
                    Finding(
                        subject: "close", level: isClean ? .ok : .failed,
                        text: isClean
                            ? "answered" : "The gateway did not answer the close. A session would end without harm.",
                        milliseconds: stopwatch.milliseconds))
            }
            return isClean
        }
        if tells {
            tell(
                Finding(
                    subject: "close", level: .failed, text: "The connection did not end. Ask who runs the gateway.",
                    milliseconds: stopwatch.milliseconds))
        }
        return false
    }

    private func failed(_ subject: String, _ surprise: Surprise, _ stopwatch: Stopwatch) -> Finding {
        let sentence =
            switch surprise {
            case .error(let error):
                "The gateway answered with an error, \(Self.shown(error.code ?? error.type)): \(Self.shown(error.message))"
            case .closed(let closure): "The gateway ended the connection. \(Self.shown(closure.message))"
            case .unreadable(let code): "The gateway's answer is no event of the protocol (\(code)). Check the URL."
            case .other(let thing): "The gateway sent \(thing), which nobody asked for. Check the URL."
            case .nothing: "The gateway did not answer in time. Try again later, or ask who runs it."
            }
        return Finding(subject: subject, level: .failed, text: sentence, milliseconds: stopwatch.milliseconds)
    }

    /// The beginning of a peer's text.
    private static func shown(_ text: String) -> String { String(text.printable.prefix(textLimit)) }
}
