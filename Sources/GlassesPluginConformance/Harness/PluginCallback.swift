import CGlassesPlugin

/// One call of the plugin into its host.
struct PluginCallback: Sendable {
    /// Which one, with its arguments.
    enum Kind: Sendable {
        case state(Int32, detail: CallbackText?)
        case completed(UInt64, Int32, detail: CallbackText?)
        case event(CallbackText)
        case partial(UInt64, CallbackText, confidence: Double)
        case finished(UInt64, Int32, text: CallbackText?, confidence: Double)
        case audio(UInt64, frames: Int)
        case activity(UInt64, first: UInt64, frames: UInt32, probability: Double)
        case broken(UInt64, Int32, message: CallbackText?)
        case photo(UInt64, start: [UInt8], length: Int, facts: CallbackText)
        case stream(CallbackText)
        case registration(Int32, detail: CallbackText?)
        case permission(UInt64, Int32)
        case url(UInt64, Int32)
        case power(CallbackText)
        case input(Int32, detail: CallbackText?)
    }

    /// Which one, with its arguments.
    let kind: Kind
    /// The kernel's id of the thread it came on.
    let thread: Int32
    /// When.
    let time: Duration

    /// The request or utterance that it ends; nil for every other callback.
    var ending: (id: UInt64, result: Int32)? {
        switch kind {
        case .completed(let id, let result, _), .finished(let id, let result, _, _): (id, result)
        case .broken(let id, let result, _): (id, result)
        case .state, .event, .partial, .audio, .activity, .photo, .stream, .registration, .permission, .url, .power,
            .input:
            nil
        }
    }

    /// The request or utterance that it is about; nil for a state or an event.
    var subject: UInt64? {
        switch kind {
        case .completed(let id, _, _), .finished(let id, _, _, _), .partial(let id, _, _), .audio(let id, _): id
        case .activity(let id, _, _, _), .broken(let id, _, _), .photo(let id, _, _, _): id
        case .permission(let id, _), .url(let id, _): id
        case .state, .event, .stream, .registration, .power, .input: nil
        }
    }

    /// The function's name in the ABI's headers.
    var name: String {
        switch kind {
        case .state: "on_state"
        case .completed: "on_completed"
        case .event: "on_event"
        case .partial: "on_partial"
        case .finished: "on_finished"
        case .audio: "on_audio"
        case .activity: "on_activity"
        case .broken: "on_failed"
        case .photo: "on_photo"
        case .stream: "on_stream"
        case .registration: "on_registration"
        case .permission: "on_permission"
        case .url: "on_url"
        case .power: "on_power"
        case .input: "on_input"
        }
    }
}

/// The results that version 1.0 knows.
enum KnownResults {
    /// OK and every error.
    static let all: ClosedRange<Int32> = Int32(GLASSES_ERROR_VERSION)...Int32(GLASSES_OK)

    /// The name in the headers.
    static func name(_ result: Int32) -> String {
        let names = [
            "OK", "FAILED", "INVALID", "STATE", "UNSUPPORTED", "UNAVAILABLE", "BUSY", "DENIED", "TIMEOUT", "CANCELLED",
            "TOO_LARGE", "VERSION",
        ]
        return all.contains(result) ? names[Int(-result)] : "the unknown number \(result)"
    }
}
