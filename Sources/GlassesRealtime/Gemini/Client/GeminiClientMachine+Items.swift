import Foundation
import GlassesDomain

extension GeminiClientMachine {
    mutating func create(_ item: ConversationItem, _ eventId: String?) {
        var item = item
        if let problem = item.firstProblem() { return refuse(problem, eventId) }
        let id = item.id ?? newId("item")
        item.id = id
        item.status = .completed
        if let problem = place(item, id) { return refuse(problem, eventId) }
        let placement = ItemPlacement(item: item, previousItemId: ledger.last)
        ledger.keep(item)
        deliver(.conversationItemAdded(placement))
        deliver(.conversationItemDone(placement))
    }

    /// Gives an item to the server in the way that fits it, or keeps it for the next turn; answers what is wrong with it.
    private mutating func place(_ item: ConversationItem, _ id: String) -> RealtimeErrorInfo? {
        switch item.body {
        case .message(let message):
            if let frame = Self.frame(message) {
                send(.realtimeInput(.video(frame)))
                return nil
            }
            return queue(Self.content(of: message), id)
        case .functionCall(let call):
            calls.began(call.callId, name: call.name, isOpen: false)
            let arguments = Self.object(call.arguments)
            let part = GeminiPart.functionCall(
                GeminiFunctionCall(id: call.callId, name: call.name, arguments: arguments))
            return queue(.model(part), id)
        case .functionCallOutput(let output):
            switch calls.ended(output.callId, output: output.output) {
            case nil: return .invalidValue("item.call_id", "There is no call of that id.")
            case .kept: break
            case .history(let content): return queue(content, id)
            }
        case .mcpListTools, .mcpCall, .mcpApprovalRequest, .mcpApprovalResponse, .itemReference, .unknown:
            return .invalidValue("item.type", "Send messages, function calls and their outputs only.")
        }
        return nil
    }

    /// Keeps a turn for the next request; answers why it cannot.
    private mutating func queue(_ content: GeminiContent, _ itemId: String) -> RealtimeErrorInfo? {
        turns.add(content, itemId: itemId) ? nil : Self.tooMuchWaits
    }

    static let tooMuchWaits = RealtimeErrorInfo(
        message: "More than \(GeminiTurns.bytesLimit >> 20) MiB wait for an answer. Ask for one with response.create.",
        code: "conversation_too_large", param: "item")

    /// A picture without a word is a frame of what the user sees, and cuts no answer.
    private static func frame(_ message: MessageItem) -> GeminiBlob? {
        guard message.content.count == 1, case .inputImage(let url, _) = message.content[0] else { return nil }
        return picture(url)
    }

    static func content(of message: MessageItem) -> GeminiContent {
        let parts = message.content.compactMap { part -> GeminiPart? in
            switch part {
            case .inputText(let text), .outputText(let text): .text(text)
            case .inputAudio(let audio?, _): .inlineData(.pcm(audio, rate: 24_000))
            case .inputAudio(nil, let transcript), .outputAudio(_, let transcript): transcript.map { .text($0) }
            case .inputImage(let url, _): picture(url).map(GeminiPart.inlineData)
            case .unknown: nil
            }
        }
        return GeminiContent(role: message.role == .assistant ? "model" : "user", parts: parts)
    }

    private static func picture(_ url: String) -> GeminiBlob? {
        guard let file = PictureDataURL.file(of: url) else { return nil }
        let type = url.hasPrefix("data:image/png") ? "image/png" : "image/jpeg"
        return GeminiBlob(mimeType: type, data: [UInt8](file))
    }

    /// Arguments as the object that Gemini Live wants; what is none stands under one name.
    private static func object(_ text: String) -> JSONValue {
        do {
            let value = try JSONValue(jsonText: text)
            if value.objectValue != nil { return value }
        } catch {
            // A call with broken arguments is part of the history all the same.
        }
        return text.isEmpty ? [:] : ["arguments": .string(text)]
    }

    // MARK: - What only the client knows

    mutating func retrieve(_ itemId: String, _ eventId: String?) {
        guard let entry = ledger[itemId] else {
            return refuse(Self.unknown("item_retrieve_invalid_item_id"), eventId)
        }
        deliver(.conversationItemRetrieved(entry.item))
    }

    mutating func delete(_ itemId: String, _ eventId: String?) {
        guard ledger.remove(itemId) else { return refuse(Self.unknown("item_delete_invalid_item_id"), eventId) }
        turns.remove(itemId: itemId)
        deliver(.conversationItemDeleted(itemId: itemId))
    }

    /// The server keeps what was not heard; the client's own record is what counts.
    mutating func truncate(_ truncation: ItemTruncation, _ eventId: String?) {
        guard let entry = ledger[truncation.itemId] else {
            return refuse(Self.unknown("item_truncate_invalid_item_id"), eventId)
        }
        guard let audioMs = entry.audioMs else {
            return refuse(
                RealtimeErrorInfo(
                    message: "Only model output audio messages can be truncated.", code: "unsupported_content_type",
                    param: "item_id"), eventId)
        }
        guard truncation.audioEndMs <= audioMs, truncation.audioEndMs >= 0 else {
            return refuse(
                .invalidValue("audio_end_ms", "Audio content of \(audioMs)ms is already shorter than that."), eventId)
        }
        var item = entry.item
        item.body = .message(
            MessageItem(role: .assistant, content: [.outputAudio(audio: nil, transcript: nil)]))
        ledger.keep(item, audioMs: truncation.audioEndMs)
        deliver(.conversationItemTruncated(truncation))
    }

    private static func unknown(_ code: String) -> RealtimeErrorInfo {
        RealtimeErrorInfo(message: "There is no item of that id.", code: code, param: "item_id")
    }
}
