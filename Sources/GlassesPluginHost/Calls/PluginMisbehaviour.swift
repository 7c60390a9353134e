import GlassesDomain

/// Something that a plugin did against the ABI.
public struct PluginMisbehaviour: Sendable, Hashable, CustomStringConvertible {
    /// What it did.
    public enum Kind: Sendable, Hashable {
        /// A call did not return within its limit.
        case hung(limit: Duration)
        /// A request was accepted and not completed within its limit.
        case notCompleted(limit: Duration)
        /// A request was completed more than once.
        case completedTwice
        /// A request was completed after its limit.
        case completedLate
        /// A request was completed that was never made.
        case unknownRequest
        /// A callback came after the instance was destroyed.
        case callbackAfterDestroy
        /// A text is longer than the ABI allows.
        case textTooLong
        /// A text is not UTF-8.
        case textNotUTF8
        /// A text that has to be JSON is not.
        case notJSON
        /// A required member of a description is absent or wrong.
        case wrongFacts(member: String)
        /// A number that the ABI does not know.
        case unknownValue(Int)
        /// A struct is smaller than its version requires, or lacks a function.
        case brokenStruct
        /// The position of a ring jumped.
        case wrongPosition
        /// A frame or a picture is not what it says, or is older than the one before.
        case wrongFrame
    }

    /// The plugin's id.
    public var plugin: String
    /// The function of the ABI, such as `glasses_transport.connect`.
    public var function: String
    /// What it did.
    public var kind: Kind

    /// One sentence for the plugin's vendor.
    public var description: String { "The plugin \(plugin) broke the ABI in \(function): \(detail)." }

    private var detail: String {
        switch kind {
        case .hung(let limit): "the call did not return within \(limit.wholeMilliseconds) ms"
        case .notCompleted(let limit): "the request was not completed within \(limit.wholeMilliseconds) ms"
        case .completedTwice: "a request was completed twice"
        case .completedLate: "a request was completed after its limit"
        case .unknownRequest: "a request was completed that was never made"
        case .callbackAfterDestroy: "a callback came after destroy"
        case .textTooLong: "a text is longer than allowed"
        case .textNotUTF8: "a text is not UTF-8"
        case .notJSON: "a text is not a JSON object"
        case .wrongFacts(let member): "the fact \(member) is absent or wrong"
        case .unknownValue(let number): "the number \(number) is not known"
        case .brokenStruct: "a struct is too small or lacks a function"
        case .wrongPosition: "a ring's position makes no sense"
        case .wrongFrame: "a frame or a picture is not what it says"
        }
    }
}
