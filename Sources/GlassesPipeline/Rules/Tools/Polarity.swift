/// Which actions say "true" and which "false" to a Boolean or an on/off choice.
enum Polarity {
    private static let pairs: [(names: Set<String>, yes: Set<String>, no: Set<String>)] = [
        (
            ["mute", "muted", "silent", "silence"], ["mute", "silenc", "quiet", "hush", "shut_up"], ["unmut"]
        ),
        (["lock", "locked"], ["lock", "secur", "bolt"], ["unlock", "unbolt"]),
        (["open", "opened"], ["open", "rais", "unrol"], ["close", "shut", "lower"]),
        (["paused", "pause"], ["paus", "hold"], ["resum", "unpaus", "continu"]),
        (["connected", "connect"], ["connect", "pair"], ["disconnect", "unpair"]),
        (["armed", "arm"], ["arm", "activ"], ["disarm", "deactiv"]),
        (
            [
                "on", "enabled", "enable", "state", "active", "power", "value", "activate", "activated", "status",
                "powered", "turned", "enabling", "off", "disabled",
            ],
            [
                "turn_on", "switch_on", "enabl", "activ", "power_on", "light_up", "flip_on", "put_on", "turn_back",
                "start", "engag", "on",
            ],
            [
                "turn_off", "switch_off", "disabl", "deactiv", "power_off", "shut_off", "shut_down", "kill", "flip_off",
                "turn_out", "stop", "off",
            ]
        ),
    ]

    /// All actions that decide such a parameter; empty for one that only adds a detail ("with_flash").
    static func actions(of parameter: ParameterSpec) -> [String] {
        guard let pair = pair(for: parameter) else { return [] }
        return pair.yes.union(pair.no).subtracting(["start", "stop", "on", "off"]).sorted()
    }

    /// Whether `action` sets the parameter to true or false; nil when it says nothing about it.
    static func value(of action: String, for parameter: ParameterSpec) -> Bool? {
        guard let pair = pair(for: parameter) else { return nil }
        let isReversed = parameter.nameWords.contains("off") || parameter.nameWords.contains("disabled")
        if pair.yes.contains(action) { return !isReversed }
        return pair.no.contains(action) ? isReversed : nil
    }

    private static func pair(for parameter: ParameterSpec) -> (names: Set<String>, yes: Set<String>, no: Set<String>)? {
        let isSwitch = parameter.kind == .boolean
        guard isSwitch else { return nil }
        return pairs.first { !$0.names.isDisjoint(with: parameter.nameWords) }
    }
}
