import GlassesDomain

extension ConversationHistory {
    /// The pictures that make room for newer ones, oldest first.
    var surplusPictures: [String] {
        let pictures = entries.filter { if case .picture = $0.content { true } else { false } }
        return pictures.dropLast(PictureBudget.keptPictures).map(\.id)
    }

    func isPicture(_ id: String) -> Bool {
        guard let index = index(of: id), case .picture = entries[index].content else { return false }
        return true
    }

    /// Puts words under a new id in the place of a picture; nil when it is not here.
    ///
    /// A provider that has the picture has to be given the item in its place; one that has not gets the words alone. They are the system's, so that
    /// nobody takes them for a question.
    mutating func replacePicture(_ id: String, by newID: String) -> (item: ConversationItem, wasKnown: Bool)? {
        guard let index = index(of: id), case .picture(_, let prompt, let isKnown) = entries[index].content else {
            return nil
        }
        let text = PictureNote.leftOut(timestampMs: entries[index].timestampMs, prompt: prompt)
        replace(index, id: newID, .pictureNote(text: text, prompt: prompt, isKnown: isKnown))
        return (.systemText(id: newID, text: text), isKnown)
    }

    /// Words take the place of a picture that the provider did not take, for the next connection; false when it is no picture.
    @discardableResult
    mutating func refusePicture(_ id: String) -> Bool {
        guard let index = index(of: id), case .picture(_, let prompt, _) = entries[index].content else { return false }
        let text = PictureNote.refused(timestampMs: entries[index].timestampMs, prompt: prompt)
        replace(index, id: id, .pictureNote(text: text, prompt: prompt, isKnown: true))
        return true
    }
}
