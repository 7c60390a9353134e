import GlassesDomain

extension BrainError {
    /// What the endpoint sent cannot be used; nothing of it is quoted.
    static func unusable(_ what: String, code: String = "invalid_answer") -> BrainError {
        BrainError(code: code, message: "The chat endpoint \(what). Check that its URL and model are right.")
    }

    /// The answer ended in the middle.
    static let brokenOff = BrainError(
        code: "connection_lost", message: "The chat endpoint broke its answer off. Ask again.")

    /// The answer did not end in time.
    static let late = BrainError(
        code: "timeout", message: "The chat endpoint did not complete its answer in time. Use a faster model.")

    /// Nobody waits for the answer any more.
    static let cancelled = BrainError(code: "cancelled", message: "The answer was cancelled.")

    /// An error in the place of an answer. Its words are left out: they may quote the conversation or a key.
    static func reported(_ error: JSONValue) -> BrainError {
        let code = (error["code"]?.stringValue ?? error["type"]?.stringValue).flatMap(codeName)
        return BrainError(
            code: code ?? "endpoint_error",
            message: "The chat endpoint reports an error\(code.map { ": \($0)" } ?? ""). See its own log.")
    }

    /// The endpoint refused the request.
    static func refused(_ status: Int) -> BrainError {
        switch status {
        case 401, 403:
            BrainError(
                code: "http_\(status)",
                message: "The chat endpoint refused the key (status \(status)). Set EXTENTOS_BRAIN_KEY to a valid one.")
        case 404:
            BrainError(
                code: "http_404",
                message: "The chat endpoint knows no such model or path (status 404). Check its URL and the model.")
        case 429:
            BrainError(
                code: "http_429", message: "The chat endpoint has had enough of requests (status 429). Wait a while.")
        case 300..<500:
            BrainError(
                code: "http_\(status)",
                message: "The chat endpoint did not take the request (status \(status)). Check its URL and the model.")
        default:
            BrainError(
                code: "http_\(status)", message: "The chat endpoint failed (status \(status)). See its own log.")
        }
    }

    /// Only what looks like a code, not a sentence.
    private static func codeName(_ text: String) -> String? {
        let isCode = text.utf8.allSatisfy { byte in
            (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte) || byte == UInt8(ascii: "_")
        }
        return isCode && (1...48).contains(text.utf8.count) ? text : nil
    }
}
