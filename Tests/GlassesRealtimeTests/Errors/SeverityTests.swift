import GlassesRealtime
import Testing

@Suite struct SeverityTests {
    @Test(arguments: [
        "conversation_already_has_active_response", "response_cancel_not_active", "input_audio_buffer_commit_empty",
        "item_truncate_invalid_item_id", "item_delete_invalid_item_id", "item_retrieve_invalid_item_id",
        "unsupported_content_type",
    ])
    func aRaceIsBenign(_ code: String) {
        #expect(RealtimeErrorInfo(message: "m", code: code).severity == .benign)
    }

    @Test func aTruncationBeyondTheEndIsBenignAndOtherInvalidValuesAreNot() {
        let race = RealtimeErrorInfo(
            message: "Audio content of 2000ms is already shorter than 2400ms", code: "invalid_value")
        #expect(race.severity == .benign)
        #expect(RealtimeErrorInfo(message: "No such voice.", code: "invalid_value").severity == .clientBug)
    }

    @Test(arguments: [
        "missing_required_parameter", "unknown_parameter", "invalid_event", "invalid_type", "cannot_update_voice",
        "something_new", nil,
    ])
    func aRefusedEventIsABugOfTheClient(_ code: String?) {
        #expect(RealtimeErrorInfo(message: "m", code: code).severity == .clientBug)
    }

    @Test(arguments: ["session_expired", "invalid_api_key", "insufficient_quota", "beta_api_shape_disabled"])
    func theEndOfASessionIsFatal(_ code: String) {
        #expect(RealtimeErrorInfo(message: "m", code: code).severity == .fatal)
    }
}
