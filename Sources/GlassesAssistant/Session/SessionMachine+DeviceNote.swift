import GlassesDomain

/// Telling the model of its user's device: each connection begins with it in the instructions, and what changes later is one item of the
/// conversation that takes the place of the one before it. It is part of no history.
extension SessionMachine {
    /// What the next `session.update` says of the device; nil when the model is not told of it.
    public var deviceText: String? { deviceNotes.current?.text }

    mutating func deviceDescribed(_ description: DeviceDescription) {
        deviceNotes.current = description
        settleDeviceNote()
    }

    /// No note is in a new conversation, and none waits.
    mutating func forgetDeviceNote() {
        deviceNotes.item = nil
        deviceNotes.isDue = false
        cancel(.deviceNote)
    }

    /// What is news is told after a while, unless it has passed by then.
    mutating func settleDeviceNote() {
        guard state == .active, deviceNotes.isNews else {
            deviceNotes.isDue = false
            return cancel(.deviceNote)
        }
        guard !deviceNotes.isDue, deadlines[.deviceNote] == nil else { return }
        let sinceLast = deviceNotes.lastNote.map { $0.duration(to: now) } ?? DeviceNotes.pause
        schedule(.deviceNote, after: max(DeviceNotes.settling, DeviceNotes.pause - sinceLast))
    }

    mutating func deviceNoteDue() { deviceNotes.isDue = deviceNotes.isNews }

    /// After every input: a note that is due waits until nobody speaks, nothing plays or is answered and no call runs.
    mutating func tellDeviceIfQuiet() {
        guard deviceNotes.isDue, isQuiet, second == nil, case .open = link, let current = deviceNotes.current else {
            return
        }
        deviceNotes.isDue = false
        deviceNotes.lastNote = now
        deviceNotes.told = current.fingerprint
        let itemID = newItemID()
        send(.createItem(eventID: newID("note"), .systemText(id: itemID, text: Self.deviceNote + current.text)))
        removeDeviceNote()
        deviceNotes.item = itemID
    }

    private static let deviceNote = "The user's device has changed. From now on it is: "

    private mutating func removeDeviceNote() {
        guard let old = deviceNotes.item else { return }
        deviceNotes.item = nil
        history.remove(old)
        send(.deleteItem(eventID: newID("delete"), itemID: old))
    }
}
