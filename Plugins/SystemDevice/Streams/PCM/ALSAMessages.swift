import CALSA

/// What libasound would have printed to stderr.
enum ALSAMessages {
    private static let keep: Void = calsa_keep_messages()

    /// Keeps libasound's messages from stderr, for the whole process.
    static func divert() { keep }

    /// Hands the messages since the last call to `log`. Never on an [audio] thread.
    static func drain(_ log: (String) -> Void) {
        withUnsafeTemporaryAllocation(of: CChar.self, capacity: Int(CALSA_LINE_BYTES)) { text in
            guard let start = text.baseAddress else { return }
            while calsa_next_line(start, text.count) == 1 { log(String(cString: start)) }
        }
    }
}
