import CALSA
import Glibc

/// A PCM that the system names.
package struct ListedDevice: Equatable, Sendable {
    /// What the settings `microphone` and `speaker` take.
    package var name: String
    /// What a person reads; the lines of ALSA's text joined by ", ".
    package var description: String
}

/// The PCMs that ALSA's configuration names, for `glasses devices`.
package struct DeviceList: Equatable, Sendable {
    /// Devices kept in each direction, and characters kept of a description: the facts of a transport have 64 KiB.
    private static let deviceLimit = 100
    private static let descriptionLimit = 160

    package var capture: [ListedDevice] = []
    package var playback: [ListedDevice] = []

    /// An empty list.
    package init() {}

    /// Reads the list; opens no device.
    package static func read() -> DeviceList {
        ALSAMessages.divert()
        var list = DeviceList()
        var hints: UnsafeMutablePointer<UnsafeMutableRawPointer?>?
        guard snd_device_name_hint(-1, "pcm", &hints) >= 0, let hints else { return list }
        defer { snd_device_name_free_hint(hints) }
        var next = hints
        while let hint = next.pointee {
            list.add(name: text(hint, "NAME"), description: text(hint, "DESC"), direction: text(hint, "IOID"))
            next += 1
        }
        return list
    }

    /// Adds a hint. `direction` is ALSA's `Input` or `Output`; nil means both.
    mutating func add(name: String?, description: String?, direction: String?) {
        guard let name, !name.isEmpty else { return }
        let words = (description ?? "").split(separator: "\n").joined(separator: ", ")
        let device = ListedDevice(name: name, description: String(words.prefix(Self.descriptionLimit)))
        if direction != "Output", capture.count < Self.deviceLimit { capture.append(device) }
        if direction != "Input", playback.count < Self.deviceLimit { playback.append(device) }
    }

    private static func text(_ hint: UnsafeRawPointer, _ key: String) -> String? {
        guard let text = snd_device_name_get_hint(hint, key) else { return nil }
        defer { free(text) }
        return String(cString: text)
    }
}
