import GlassesRealtime

/// The items of a session in order, within ``PipelineLimits``.
struct Conversation: Equatable, Sendable {
    private(set) var entries: [ConversationEntry] = []
    private var textBytes = 0
    private var retainedSamples = 0
    private var pictureBytes = 0

    subscript(id: String) -> ConversationEntry? {
        index(of: id).map { entries[$0] }
    }

    private func index(of id: String) -> Int? { entries.lastIndex { $0.id == id } }

    /// The id of the item before `id`; nil for the first one and for ids that are not there.
    func predecessor(of id: String) -> String? {
        guard let index = index(of: id), index > 0 else { return nil }
        return entries[index - 1].id
    }

    var lastId: String? { entries.last?.id }

    func call(withId callId: String) -> FunctionCallItem? {
        for entry in entries {
            if case .functionCall(let call) = entry.item.body, call.callId == callId { return call }
        }
        return nil
    }

    func hasResult(forCall callId: String) -> Bool {
        entries.contains { entry in
            if case .functionCallOutput(let result) = entry.item.body { result.callId == callId } else { false }
        }
    }

    /// Adds an entry: at the end for nil, first for `"root"`, else after that item. False when that item is not there.
    mutating func insert(_ entry: ConversationEntry, after previousId: String?) -> Bool {
        let place: Int
        switch previousId {
        case nil: place = entries.count
        case "root": place = 0
        case .some(let id):
            guard let index = index(of: id) else { return false }
            place = index + 1
        }
        entries.insert(entry, at: place)
        textBytes += entry.textBytes
        retainedSamples += entry.audio.count
        pictureBytes += entry.pictureBytes
        forgetOldAudio()
        forgetOldPictures()
        return true
    }

    mutating func append(_ entry: ConversationEntry) { _ = insert(entry, after: nil) }

    /// Removes an item; nil when it is not there.
    @discardableResult
    mutating func remove(_ id: String) -> ConversationEntry? {
        guard let index = index(of: id) else { return nil }
        let entry = entries.remove(at: index)
        textBytes -= entry.textBytes
        retainedSamples -= entry.audio.count
        pictureBytes -= entry.pictureBytes
        return entry
    }

    /// Changes an item in place; nothing happens when it is not there.
    mutating func update(_ id: String, _ change: (inout ConversationEntry) -> Void) {
        guard let index = index(of: id) else { return }
        let (oldText, oldAudio) = (entries[index].textBytes, entries[index].audio.count)
        change(&entries[index])
        textBytes += entries[index].textBytes - oldText
        retainedSamples += entries[index].audio.count - oldAudio
        forgetOldAudio()
    }

    /// Removes the oldest completed items while there are too many, and names them.
    mutating func evict() -> [String] {
        var removed: [String] = []
        while entries.count > PipelineLimits.conversationItems || textBytes > PipelineLimits.conversationTextBytes {
            // The newest item stays: it was just accepted, and alone it is within the limits.
            guard let oldest = entries.dropLast().first(where: { $0.item.status != .inProgress }) else { break }
            remove(oldest.id)
            removed.append(oldest.id)
        }
        return removed
    }

    private mutating func forgetOldPictures() {
        guard pictureBytes > PipelineLimits.retainedPictureBytes else { return }
        for index in entries.indices.dropLast() {
            let bytes = entries[index].pictureBytes
            guard bytes > 0 else { continue }
            entries[index].forgetPictures()
            pictureBytes -= bytes
            if pictureBytes <= PipelineLimits.retainedPictureBytes { return }
        }
    }

    private mutating func forgetOldAudio() {
        guard retainedSamples > PipelineLimits.retainedSamples else { return }
        for index in entries.indices.dropLast() where !entries[index].audio.isEmpty {
            retainedSamples -= entries[index].audio.count
            entries[index].audio = []
            if retainedSamples <= PipelineLimits.retainedSamples { return }
        }
    }
}
