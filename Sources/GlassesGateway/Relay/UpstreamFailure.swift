import GlassesDomain
import GlassesRealtime
import GlassesServer

/// What a client learns of an upstream that failed: never the upstream's words, which may quote the operator's key.
enum UpstreamFailure {
    /// The end of an attempt whose client left; nobody is told of it.
    static let abandoned = ConnectionClosure(code: "cancelled", message: "The attempt was abandoned.")
    /// The end of an attempt that took too long.
    static let late = ConnectionClosure(code: "timeout", message: "The upstream did not answer in time.")

    /// The answer to a client whose upstream did not accept.
    static func response(_ closure: ConnectionClosure) -> HTTPResponse {
        let again = "Try again later."
        switch closure.httpStatus {
        case 401?, 403?:
            return .error(
                502, code: "upstream_auth", message: "The upstream refused this gateway's key. Tell the operator.")
        case 429?:
            return .later(
                429, seconds: seconds(closure), code: "upstream_rate_limit",
                message: "The upstream is asked too often. \(again)")
        case 503?:
            return .later(
                503, seconds: seconds(closure), code: "upstream_unavailable",
                message: "The upstream takes no requests now. \(again)")
        case let status?:
            return .error(
                502, code: "upstream_refused",
                message: "The upstream answered with status \(status). Tell the operator.")
        case nil where closure.code == "timeout":
            return .error(504, code: "upstream_timeout", message: "The upstream did not answer in time. \(again)")
        case nil:
            return .error(502, code: "upstream_unreachable", message: "The upstream cannot be reached. \(again)")
        }
    }

    /// The close code for a client whose upstream closed with `code`: what tells the client what to do stays, what must
    /// not be on the wire or blames the client for the gateway's side becomes 1011.
    static func closeCode(_ code: UInt16?) -> UInt16 {
        switch code {
        case let code?
        where [1_000, 1_001, 1_008, 1_009, 1_012, 1_013].contains(code) || (3_000...4_999).contains(code): code
        case .some, nil: 1_011
        }
    }

    /// Whether an upstream's end has to be told by an `error` event first: the closes that an upstream makes on purpose
    /// were told by itself.
    static func isUnexpected(_ code: UInt16?) -> Bool { closeCode(code) == 1_011 }

    /// The event for a client whose upstream was lost.
    static func lost(eventId: String) -> [UInt8] {
        let error = RealtimeErrorInfo(
            message: "The connection to the upstream was lost. Connect again; the session is gone.",
            type: "server_error", code: "upstream_lost")
        return RealtimeCodec.encode(.error(error), eventId: eventId)
    }

    /// The event for a client in the place of one that it could not receive.
    static func tooLarge(eventId: String) -> [UInt8] {
        let error = RealtimeErrorInfo(
            message: "An event of the upstream was longer than 8 MiB and was left out.", type: "server_error",
            code: "event_too_large")
        return RealtimeCodec.encode(.error(error), eventId: eventId)
    }

    /// Whole seconds, and none that a hostile upstream could stretch to a trap or a day.
    private static func seconds(_ closure: ConnectionClosure) -> Int? {
        guard let seconds = closure.retryAfter, seconds.isFinite else { return nil }
        return Int(min(max(seconds, 0), 3_600).rounded(.up))
    }
}
