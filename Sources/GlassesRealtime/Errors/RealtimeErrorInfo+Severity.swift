extension RealtimeErrorInfo {
    /// What an error means for the session.
    public enum Severity: Sendable, Hashable {
        /// A race that both sides lose without harm: count it and go on.
        case benign
        /// This event was refused; the session stays open.
        case clientBug
        /// The session is over, or will never work with this key.
        case fatal
    }

    /// Both sides were right when they spoke: one message was already under way.
    private static let benignCodes: Set<String> = [
        "conversation_already_has_active_response", "response_cancel_not_active", "input_audio_buffer_commit_empty",
        "item_truncate_invalid_item_id", "item_delete_invalid_item_id", "item_retrieve_invalid_item_id",
        "unsupported_content_type",
    ]

    private static let fatalCodes: Set<String> = [
        "session_expired", "invalid_api_key", "insufficient_quota", "beta_api_shape_disabled",
    ]

    /// How to take the error; unknown codes are bugs of the client, since most errors leave the session open.
    public var severity: Severity {
        guard let code else { return .clientBug }
        if Self.benignCodes.contains(code) { return .benign }
        if Self.fatalCodes.contains(code) { return .fatal }
        // The only mark of a truncation beyond the end is its sentence: "… of 2000ms is already shorter than 2400ms".
        if code == "invalid_value", message.contains("already shorter than") { return .benign }
        return .clientBug
    }
}
