/// The answer that is open.
struct GeminiAnswer: Sendable, Hashable {
    let id: String
    let request: GeminiRequest
    /// The items that are complete.
    var output: [ConversationItem] = []
    /// The message that is being spoken or written.
    var message: Message?

    struct Message: Sendable, Hashable {
        let place: PartReference
        let previousItemId: String?
        let isSpoken: Bool
        var words = ""
        var audioBytes = 0
        var isAudioDone = false

        var audioMs: Int { audioBytes * 1_000 / GeminiClientMachine.audioBytesPerSecond }

        /// All that there is of the part.
        var part: ContentPart { isSpoken ? .outputAudio(audio: nil, transcript: words) : .outputText(words) }

        /// The item with its part, or as it begins.
        func item(_ status: ItemStatus) -> ConversationItem {
            let content = status == .inProgress ? [] : [part]
            return ConversationItem(
                id: place.itemId, status: status, body: .message(MessageItem(role: .assistant, content: content)))
        }
    }
}
