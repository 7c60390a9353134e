import GlassesAssistant
import GlassesCore

/// Replays a trace and tells how it went.
struct ReplayReport {
    let trace: SessionTrace
    /// The steps that are printed; nil for none.
    let shown: ClosedRange<Int>?
    let isJSON: Bool
    let console: Console

    /// Replays up to the first difference, and answers how the program ends.
    func run() throws -> ExitStatus {
        noteEnd()
        var replay = TraceReplay(trace)
        var number = 0
        while let step = try replay.next() {
            number += 1
            if shown?.contains(number) == true { tell(step, number) }
            if let difference = step.difference {
                tell(difference)
                return .incomplete
            }
        }
        if isJSON {
            console.print(result(same: true).jsonText)
        } else {
            console.print("same: \(number) steps are decided as they were recorded")
        }
        return .ok
    }

    private func noteEnd() {
        if let line = trace.cutOffLine {
            console.note("glasses: line \(line) is cut off, as after a crash; the steps before it are replayed")
        } else if trace.end == nil {
            console.note("glasses: the trace has no end: its program was killed; what there is of it is replayed")
        }
        switch trace.end {
        case .limit: console.note("glasses: the trace ends at its limit of size, before the session did")
        case .behind: console.note("glasses: the trace ends where its disk was too slow, before the session did")
        case .complete, nil: break
        }
    }

    private func tell(_ step: TraceReplay.Replayed, _ number: Int) {
        guard !isJSON else {
            let line: JSONValue = [
                "step": .int(Int64(number)), "line": .int(Int64(step.recorded.line)),
                "at": .int(step.recorded.at.nanoseconds), "state": .string(step.state.rawValue),
                "in": step.recorded.inputJSON, "out": .array(step.recorded.actions),
            ]
            return console.print(line.jsonText)
        }
        let story = TraceStory(since: trace.steps.first?.at ?? step.recorded.at)
        let lines = story.lines(of: step.recorded)
        console.print("\(number)".padded(to: 5) + (lines.first ?? "").printable + "  (\(step.state.rawValue))")
        for line in lines.dropFirst() { console.print("     " + line.printable) }
    }

    private func tell(_ difference: TraceReplay.Difference) {
        guard isJSON else {
            return console.print("different: \(difference.description.printable)")
        }
        var fields: [String: JSONValue] = ["step": .int(Int64(difference.step)), "line": .int(Int64(difference.line))]
        switch difference.kind {
        case .action(let place, let recorded, let found):
            fields["action"] = .int(Int64(place))
            fields["recorded"] = recorded
            fields["now"] = found
        case .unanswered(let question): fields["unanswered"] = .string(question.rawValue)
        case .surplusVerdict: fields["surplusVerdict"] = true
        }
        console.print(result(same: false, fields).jsonText)
    }

    private func result(same: Bool, _ difference: [String: JSONValue]? = nil) -> JSONValue {
        var result: [String: JSONValue] = [
            "steps": .int(Int64(trace.steps.count)), "same": .bool(same), "text": .bool(trace.privacy.keepsText),
            "end": trace.end.map { .string($0.rawValue) } ?? .null,
        ]
        result["difference"] = difference.map(JSONValue.object)
        return .object(result)
    }
}

extension String {
    fileprivate func padded(to width: Int) -> String { String(repeating: " ", count: max(0, width - count)) + self }
}
