import Foundation

/// What the user hears when a tool has run for two seconds and nothing has been heard meanwhile.
///
/// The documented API has this type and says nothing of its effect; the original never reads it. So the default is silence.
public enum ProgressiveResponseConfig: Sendable, Hashable {
    /// Nothing, as in the original.
    case `default`
    /// Nothing.
    case off
    /// These words, as by ``AssistantSession/say(_:)``: outside the conversation. The mock provider says nothing.
    case custom(phrase: String)
    /// The sound in this WAV file, at most 4 MiB. One that cannot be played is told by the log event `progress.sound_unusable`.
    case earcon(resource: URL)
}
