import CALSA

/// What an output is called, and whether that says that it is worn.
enum OutputNames {
    /// Parts of the names of what is worn. "Headphones" is not among them: sound cards call a socket so, whatever is in it.
    private static let worn = ["headset", "earbud", "earphone", "earpiece", "airpods", "galaxy buds"]

    /// Whether one of `names` is that of something worn on the head.
    static func tellOfHeadset(_ names: [String]) -> Bool {
        names.contains { name in
            let name = name.lowercased()
            return worn.contains { name.contains($0) }
        }
    }

    /// The PCM's own name, and those of its card. A sound server's default output has no more than its name here.
    static func of(_ device: String) -> [String] {
        guard let card = card(of: device) else { return [device] }
        return [device] + cardNames(card)
    }

    /// The card in names like `hw:CARD=Headset,DEV=0`.
    static func card(of device: String) -> String? {
        guard let colon = device.firstIndex(of: ":") else { return nil }
        let fields = device[device.index(after: colon)...].split(separator: ",")
        let prefix = "CARD="
        return fields.first { $0.hasPrefix(prefix) }.map { String($0.dropFirst(prefix.count)) }
    }

    private static func cardNames(_ card: String) -> [String] {
        var control: OpaquePointer?
        guard snd_ctl_open(&control, "hw:\(card)", SND_CTL_NONBLOCK) >= 0, let control else { return [] }
        defer { snd_ctl_close(control) }
        var information: OpaquePointer?
        guard snd_ctl_card_info_malloc(&information) >= 0 else { return [] }
        defer { snd_ctl_card_info_free(information) }
        guard snd_ctl_card_info(control, information) >= 0 else { return [] }
        return [snd_ctl_card_info_get_name(information), snd_ctl_card_info_get_longname(information)]
            .compactMap { $0.map { String(cString: $0) } }
    }
}
