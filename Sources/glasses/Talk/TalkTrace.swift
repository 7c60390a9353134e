import Foundation
import GlassesAssistant
import GlassesRuntime

/// The file of a conversation's trace. Only its owner can read it.
final class TalkTrace: Sendable {
    /// What a person is told before anything is written.
    let announcement: String
    private let recorder: TraceRecorder

    /// Creates or replaces the file at `path`.
    init(path: String, privacy: TracePrivacy) throws {
        let file = try PrivateFile.create(path)
        recorder = TraceRecorder(privacy: privacy) { try file.write(contentsOf: Data($0.utf8)) }
        announcement = "writing to \(path), may hold \(Self.contents(privacy)); only you can read it"
    }

    private static func contents(_ privacy: TracePrivacy) -> String {
        let texts =
            privacy.keepsText
            ? "everything that is said, and what tools are asked and answer"
            : "when who spoke and which tools were used, but no word of it"
        return texts + (privacy.keepsAudio ? ", and the assistant's voice" : "")
    }

    /// What gets the session's steps.
    var port: SessionTracePort { recorder.port }

    /// Completes the file, and answers what went wrong with it in one sentence.
    func finish() async -> String? { await recorder.finish() }
}
