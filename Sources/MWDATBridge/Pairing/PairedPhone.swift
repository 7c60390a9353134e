/// A phone that may connect to a bridge without a code.
public struct PairedPhone: Sendable, Hashable {
    /// The installation's identifier, chosen by the phone's app once.
    public let identifier: String
    /// What the phone's app calls itself.
    public let name: String

    /// A phone with the given identifier and name.
    public init(identifier: String, name: String) {
        self.identifier = identifier
        self.name = name
    }
}

/// A code that a person types on the phone, once.
public struct PairingCode: Sendable, Hashable, CustomStringConvertible {
    /// How a person reads it, in two halves: `ABCDE-23456`. On the phone the case and the hyphen do not matter.
    public let text: String
    /// How long it can be used from the moment it is shown: 10 min.
    public let validity: Duration

    /// Leaves the code out, so that none gets into a log by accident.
    public var description: String { "a pairing code" }
}
