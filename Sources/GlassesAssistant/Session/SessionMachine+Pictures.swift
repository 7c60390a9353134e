import GlassesDomain

/// What was told of pictures that the model cannot see, so that it is told once.
struct BlindnessNotes: Sendable, Hashable {
    /// Whether the app knows that the model sees no video.
    var isVideoTold = false
    /// Whether the provider has refused a frame: it gets no more.
    var isVideoRefused = false
    /// Whether the app knows that the model sees no pictures.
    var isVisionTold = false
    /// Whether the model of the present connection knows that it misses video.
    var isModelTold = false
}

extension SessionMachine {
    /// What a model learns that the app shows video to in vain.
    static let videoNote =
        "The app shows live video, which you cannot see. If the user refers to it, say that you cannot see video."

    // MARK: - Pictures

    mutating func includePicture(_ prompt: String?, _ id: OperationID) {
        guard isReady(id) else { return }
        guard has(\.pictures) else { return refusePictures(id) }
        let words = prompt.map(Self.trimmed).flatMap { $0.isEmpty ? nil : $0 }
        let length = words?.utf8.count ?? 0
        guard length <= PictureBudget.promptBytes else {
            let message = "The prompt has \(length) bytes; send at most \(PictureBudget.promptBytes) with a picture."
            return finish(id, .failed(.providerError(code: "text_too_long", message: message)))
        }
        wasTouched = true
        calls[id] = .picture(prompt: words)
        schedule(.operation(id), after: Limits.operation)
        act(.picture(.prepare(id, .still)))
    }

    mutating func pictureReady(_ id: OperationID, _ picture: SessionPicture) {
        switch calls[id] {
        case .picture(let prompt): place(picture, prompt: prompt, of: id)
        case .frame: sendFrame(picture, of: id)
        // The call has ended meanwhile.
        case .answer, .item, .turn, .choices, nil: break
        }
    }

    mutating func pictureFailed(_ id: OperationID, _ refusal: PictureRefusal) {
        switch calls[id] {
        case .picture: notify(.error(kind: refusal.code, message: refusal.message))
        // The app is told by the call alone: frames come every second.
        case .frame: break
        case .answer, .item, .turn, .choices, nil: return
        }
        settle(id)
        finish(id, .failed(.providerError(code: refusal.code, message: refusal.message)))
    }

    /// The picture becomes a part of the conversation, and the oldest one makes room for it.
    private mutating func place(_ picture: SessionPicture, prompt: String?, of id: OperationID) {
        let itemID = newItemID()
        let content = ConversationHistory.Content.picture(picture, prompt: prompt, isKnown: false)
        history.place(itemID, after: nil, content: content, timestampMs: timestampMs)
        calls[id] = .item(itemID: itemID, eventID: nil)
        sendUnsent()
        for old in history.surplusPictures { replacePicture(old) }
        if configuration.pictures == .measured, !blindness.isVisionTold {
            blindness.isVisionTold = true
            notify(.error(kind: "vision_unsupported", message: Self.visionUnsupported))
        }
    }

    /// The provider takes no pictures at all.
    private mutating func refusePictures(_ id: OperationID) {
        if !blindness.isVisionTold {
            blindness.isVisionTold = true
            notify(.error(kind: "vision_unsupported", message: Self.takesNoPictures))
        }
        finish(id, .failed(.providerError(code: "vision_unsupported", message: Self.takesNoPictures)))
    }

    private static let takesNoPictures = "The provider takes no pictures. Choose one whose model sees."

    private static let visionUnsupported =
        "The assistant on this machine cannot see what is in a picture; it tells its size, brightness and age only. "
        + "Choose a gateway whose model sees."

    /// Words take the place of an old picture, in the history and at the provider.
    private mutating func replacePicture(_ id: String) {
        let noteID = newItemID()
        guard let note = history.replacePicture(id, by: noteID), note.wasKnown, has(\.deletes) else { return }
        send(.insertItem(eventID: newID("replace"), note.item, after: id))
        send(.deleteItem(eventID: newID("delete"), itemID: id))
    }

    /// The call needs its picture no more.
    private mutating func settle(_ id: OperationID) {
        calls[id] = nil
        cancel(.operation(id))
    }

    // MARK: - Video

    mutating func sendFrame(_ id: OperationID) {
        guard state == .active else { return finish(id, .failed(.notReady)) }
        guard has(\.pictures), !blindness.isVideoRefused,
            assistantModelSupportsVideo(server.model ?? configuration.defaultModel)
        else {
            tellVideoUnsupported("The model does not look at video. Send pictures, or choose a model that does.")
            return finish(id, .succeeded)
        }
        guard calls.count < Limits.calls, video.mayBegin(at: now) else { return dropFrame(id) }
        calls[id] = .frame
        schedule(.operation(id), after: Limits.operation)
        act(.picture(.prepare(id, .frame)))
    }

    private mutating func dropFrame(_ id: OperationID) {
        video.dropped += 1
        if video.dropped.nonzeroBitCount == 1 { act(.diagnose(.framesDropped(total: video.dropped))) }
        finish(id, .succeeded)
    }

    private mutating func sendFrame(_ picture: SessionPicture, of id: OperationID) {
        settle(id)
        guard state == .active else { return finish(id, .failed(.notReady)) }
        let (itemID, eventID) = (newItemID(), newID("frame"))
        send(.createItem(eventID: eventID, .userPicture(id: itemID, picture, prompt: nil, detail: .low)))
        for old in video.sent(itemID, eventID: eventID, at: now) {
            send(.deleteItem(eventID: newID("delete"), itemID: old))
            history.remove(old)
        }
        finish(id, .succeeded)
    }

    /// The app learns once that the model sees no video, and the model of each connection that there is some.
    mutating func tellVideoUnsupported(_ message: String) {
        if !blindness.isVideoTold {
            blindness.isVideoTold = true
            notify(.error(kind: "video_input_unsupported", message: message))
        }
        guard !blindness.isModelTold else { return }
        blindness.isModelTold = true
        send(.createItem(eventID: newID("note"), .systemText(id: newItemID(), text: Self.videoNote)))
    }
}
