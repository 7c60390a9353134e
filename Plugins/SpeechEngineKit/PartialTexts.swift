internal import Foundation
package import GlassesPluginKit

/// Tells the partial texts of one utterance: only new ones and not too often, but the newest always.
package struct PartialTexts {
    private let interval: Duration
    private var told = ""
    private var notBefore = ContinuousClock.now
    /// When a text that was held back is told; a person who has stopped speaking would otherwise never see it.
    private(set) var due: Date?

    /// Making partial texts may take this part of the time; the rest is the final text's.
    private static let share = 3

    /// Texts are made at most once in an interval.
    package init(interval: Duration) { self.interval = interval }

    /// Makes a text and tells it, unless one was made just now; then ``due`` says when to come again. `isUrgent` does not wait.
    package mutating func tell(
        _ text: @autoclosure () throws(PluginFailure) -> String, to request: RecognitionRequest, isUrgent: Bool
    ) throws(PluginFailure) {
        let begin = ContinuousClock.now
        guard isUrgent || begin >= notBefore else {
            due = Date(timeIntervalSinceNow: (notBefore - begin) / .seconds(1))
            return
        }
        due = nil
        let text = try text()
        let cost = ContinuousClock.now - begin
        notBefore = begin + max(interval, cost * Self.share)
        guard text != told else { return }
        told = text
        // An engine knows how sure it is at the end.
        request.partial(text, confidence: 0)
    }

    /// Nothing more is told.
    package mutating func end() { due = nil }
}
