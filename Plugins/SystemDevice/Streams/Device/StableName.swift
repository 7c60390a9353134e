import CALSA

/// The form of a PCM's name that still means the same device after it was unplugged and plugged in again.
///
/// ALSA numbers cards in the order in which they appear: `hw:1,0` may be another card tomorrow. Its identifier stays:
/// `hw:CARD=Headset,DEV=0`.
package enum StableName {
    /// `name` with its card's number replaced by the card's identifier, if it has one in the forms `hw:1`, `plughw:1,0`,
    /// `default:1`, `sysdefault:1`; any other name as it is.
    package static func resolve(_ name: String) -> String { resolve(name, identifier: identifier) }

    static func resolve(_ name: String, identifier: (Int) -> String?) -> String {
        let parts = name.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, ["hw", "plughw", "default", "sysdefault", "dmix", "dsnoop"].contains(parts[0]) else {
            return name
        }
        let fields = parts[1].split(separator: ",", omittingEmptySubsequences: false)
        guard let first = fields.first, let card = Int(first), card >= 0, let found = identifier(card) else {
            return name
        }
        let keys = ["CARD", "DEV", "SUBDEV"]
        guard fields.count <= keys.count, fields.allSatisfy({ Int($0) != nil }) else { return name }
        let values = [found] + fields.dropFirst().map(String.init)
        return parts[0] + ":" + zip(keys, values).map { "\($0)=\($1)" }.joined(separator: ",")
    }

    private static func identifier(_ card: Int) -> String? {
        var control: OpaquePointer?
        guard snd_ctl_open(&control, "hw:\(card)", SND_CTL_NONBLOCK) >= 0, let control else { return nil }
        defer { snd_ctl_close(control) }
        var information: OpaquePointer?
        guard snd_ctl_card_info_malloc(&information) >= 0 else { return nil }
        defer { snd_ctl_card_info_free(information) }
        guard snd_ctl_card_info(control, information) >= 0, let text = snd_ctl_card_info_get_id(information) else {
            return nil
        }
        return String(cString: text)
    }
}
