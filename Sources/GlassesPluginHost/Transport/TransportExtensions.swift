/// Which extensions an instance has, not which it says it has.
struct TransportExtensions: OptionSet, Sendable, Hashable {
    let rawValue: UInt8
    static let microphone = TransportExtensions(rawValue: 1)
    static let speaker = TransportExtensions(rawValue: 2)
    static let camera = TransportExtensions(rawValue: 4)
    static let display = TransportExtensions(rawValue: 8)
    static let registration = TransportExtensions(rawValue: 16)
    static let power = TransportExtensions(rawValue: 32)
    static let input = TransportExtensions(rawValue: 64)
    /// Every one that this host knows.
    static let all: TransportExtensions = [
        .microphone, .speaker, .camera, .display, .registration, .power, .input,
    ]
}
