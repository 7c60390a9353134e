import GlassesDomain
import GlassesRealtime

/// One item of the conversation with what the server knows beyond its wire form.
struct ConversationEntry: Equatable, Sendable {
    let id: String
    /// The item as events carry it, without audio.
    var item: ConversationItem
    /// Its audio at 24 kHz, as far as it is still kept.
    var audio: [Int16] = []
    /// What was said with how much audio, of an answer of ours that was spoken.
    var spoken: SpokenTranscript?
    /// Where the client cut the audio, in samples: nothing behind it was heard.
    var cut: Int?
    /// The words that were recognised, also when the client asked for no transcription.
    var recognizedText: String?
    /// When it came.
    var arrived = MonotonicTime.zero
    /// Whether an answer has dealt with it; meaningless for anything but user messages and tool results.
    var isAnswered = false

    init(id: String, body: ConversationItem.Body, status: ItemStatus = .completed) {
        self.id = id
        item = ConversationItem(id: id, status: status, body: body)
    }

    /// The entry of a client's item: audio leaves the wire form, the status is ours.
    init(id: String, item: ConversationItem) {
        self.id = id
        self.item = item
        self.item.id = id
        self.item.status = .completed
        if case .message(var message) = item.body {
            message.content = message.content.map { part in
                guard case .inputAudio(let bytes, let transcript) = part else { return part }
                audio.append(contentsOf: PCMBlock.samples(littleEndian: bytes ?? []))
                if let transcript {
                    recognizedText = [recognizedText, transcript].compactMap { $0 }.joined(separator: " ")
                }
                return .inputAudio(audio: nil, transcript: transcript)
            }
            self.item.body = .message(message)
        }
    }

    /// An utterance of the user without words yet.
    static func utterance(id: String, audio: [Int16]) -> ConversationEntry {
        let message = MessageItem(role: .user, content: [.inputAudio(audio: nil, transcript: nil)])
        var entry = ConversationEntry(id: id, body: .message(message))
        entry.audio = audio
        return entry
    }

    /// Whether the item waits for an answer as long as none has dealt with it.
    var wantsAnswer: Bool {
        switch item.body {
        case .message(let message): message.role == .user
        case .functionCallOutput: true
        case .functionCall, .mcpListTools, .mcpCall, .mcpApprovalRequest, .mcpApprovalResponse, .itemReference,
            .unknown:
            false
        }
    }

    /// The bytes of text that the item holds.
    var textBytes: Int {
        switch item.body {
        case .message(let message): message.content.reduce(0) { $0 + ($1.text?.utf8.count ?? 0) }
        case .functionCall(let call): call.name.utf8.count + call.arguments.utf8.count
        case .functionCallOutput(let result): result.output.utf8.count
        case .mcpListTools, .mcpCall, .mcpApprovalRequest, .mcpApprovalResponse, .itemReference, .unknown: 0
        }
    }

    /// The bytes of the pictures that the item holds.
    var pictureBytes: Int { pictures.reduce(0) { $0 + $1.utf8.count } }

    /// The pictures of a message; an empty one is forgotten.
    var pictures: [String] {
        guard case .message(let message) = item.body else { return [] }
        return message.content.compactMap { if case .inputImage(let url, _) = $0 { url } else { nil } }
    }

    /// Leaves the item without its pictures' bytes.
    mutating func forgetPictures() {
        guard case .message(var message) = item.body else { return }
        message.content = message.content.map { part in
            if case .inputImage(_, let detail) = part { .inputImage(url: "", detail: detail) } else { part }
        }
        item.body = .message(message)
    }

    /// The words of a message, recognised ones in the place of audio.
    var text: String {
        guard case .message(let message) = item.body else { return "" }
        var parts = message.content.compactMap { part -> String? in
            if case .inputAudio = part { return nil }
            return part.text
        }
        if let recognizedText { parts.append(recognizedText) }
        return parts.joined(separator: " ")
    }

    /// Replaces the transcript of the item's audio part on the wire.
    mutating func setTranscript(_ transcript: String) {
        guard case .message(var message) = item.body else { return }
        message.content = message.content.map { part in
            switch part {
            case .inputAudio: .inputAudio(audio: nil, transcript: transcript)
            case .outputAudio: .outputAudio(audio: nil, transcript: transcript)
            case .inputText, .inputImage, .outputText, .unknown: part
            }
        }
        item.body = .message(message)
    }

    /// The item with its audio, as far as it is kept and fits a client's receive limit.
    var itemWithAudio: ConversationItem {
        guard !audio.isEmpty, audio.count <= PipelineLimits.retrievedSamples, case .message(var message) = item.body
        else {
            return item
        }
        let bytes = PCMBlock(samples: audio, sampleRate: PipelineLimits.sampleRate).littleEndianBytes
        message.content = message.content.map { part in
            switch part {
            case .inputAudio(_, let transcript): .inputAudio(audio: bytes, transcript: transcript)
            case .outputAudio(_, let transcript): .outputAudio(audio: bytes, transcript: transcript)
            case .inputText, .inputImage, .outputText, .unknown: part
            }
        }
        var whole = item
        whole.body = .message(message)
        return whole
    }
}
