import GlassesCore
import Synchronization

/// Says once that a recording runs, whoever sees it first.
final class RecordingStart: Sendable {
    private let console: Console
    private let isJSON: Bool
    private let isEndless: Bool
    private let isTold = Atomic(false)

    /// `isEndless` recordings need a word on how to end them.
    init(console: Console, isJSON: Bool, isEndless: Bool) {
        self.console = console
        self.isJSON = isJSON
        self.isEndless = isEndless
    }

    /// Says it, with what the stream is locked at; `start` is when the command began.
    func tell(_ info: ActiveStreamInfo, _ start: MonotonicTime) {
        if isTold.exchange(true, ordering: .acquiringAndReleasing) { return }
        guard isJSON else { return console.note("glasses: recording" + (isEndless ? "; Ctrl-C ends it" : "")) }
        console.print(
            JSONLine.text(
                "recording", start,
                [
                    "resolution": .string(String(describing: info.resolution)),
                    "frameRate": .int(Int64(info.frameRate)),
                ]))
    }
}

extension JSONLine {
    /// An event's line; `start` is when the command began.
    static func text(_ event: String, _ start: MonotonicTime, _ fields: [String: JSONValue]) -> String {
        JSONLine(seconds: start.duration(to: Stopwatch.now).seconds, event: event, fields: fields).text
    }
}
