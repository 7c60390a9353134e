/// Why something was refused or ended: which check failed, and what a person can do about it.
public struct Refusal: Sendable, Hashable, CustomStringConvertible {
    /// The check that failed.
    public enum Check: String, CaseIterable, Sendable {
        /// The glasses cannot be reached.
        case link
        /// The glasses' software does not fit.
        case compatibility
        /// The glasses are not worn.
        case worn
        /// The glasses are folded.
        case hinges
        /// The glasses are switched off.
        case power
        /// The glasses no longer trust the app: it has to register again.
        case trust
        /// The person has not allowed it.
        case permission
        /// A key of the configuration is missing or wrong.
        case configuration
        /// There is no companion, or it refused.
        case companion
        /// There is no network.
        case network
        /// Another session holds the glasses.
        case occupied
        /// The glasses are too hot.
        case thermal
        /// The glasses draw more power than they can give.
        case peakPower
        /// The battery is empty.
        case battery
        /// The app on the glasses is too old.
        case glassesApp
        /// This toolkit is too old.
        case sdkVersion
        /// The glasses' memory or storage is full.
        case resources
        /// The picture or its coding failed.
        case media
        /// There was no answer in time.
        case timeout
        /// The wearer or the glasses ended it.
        case endedByDevice
        /// What was asked does not exist, or not any more.
        case notFound
        /// The link's other end broke its protocol or went away.
        case transport
    }

    /// The check that failed.
    public let check: Check
    /// A sentence for a person: what is wrong and what to do next. It holds no secret.
    public let message: String
    /// Whether the same call may succeed later without a change of the app or its configuration.
    public let isRetryable: Bool

    /// A refusal by `check` that tells a person `message`.
    public init(_ check: Check, _ message: String, isRetryable: Bool) {
        self.check = check
        self.message = message
        self.isRetryable = isRetryable
    }

    /// The check's name and the sentence.
    public var description: String { "\(check.rawValue): \(message)" }
}
