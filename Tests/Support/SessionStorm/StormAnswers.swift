import GlassesAssistant
import GlassesDomain

extension StormWorld {
    /// The events of a whole answer: calls of tools, or words with their audio, three to eight times as fast as they are spoken.
    func makeAnswer(tools: Int, metadata: [String: String], isOutOfBand: Bool) -> StormAnswer {
        let id = "r\(newNumber())"
        var answer = StormAnswer(
            id: id, isOutOfBand: isOutOfBand,
            steps: [
                StormAnswer.Step(
                    gap: 0, fact: .answerCreated(responseID: id, metadata: metadata, isOutOfBand: isOutOfBand))
            ])
        if tools == 0 || chance(4) { speak(&answer) }
        for _ in 0..<tools { callTool(&answer) }
        answer.steps.append(.init(gap: number(1...30), fact: .answerDone(responseID: id, status: .completed)))
        return answer
    }

    private func speak(_ answer: inout StormAnswer) {
        let itemID = "m\(newNumber())"
        let segment = SegmentID(responseID: answer.id, itemID: itemID, contentIndex: 0)
        answer.steps.append(
            .init(
                gap: number(5...60),
                fact: .answerItemAdded(responseID: answer.id, itemID: itemID, kind: .assistantMessage)))
        if !answer.isOutOfBand {
            answer.steps.append(
                .init(gap: 1, fact: .itemAdded(itemID: itemID, previousItemID: nil, kind: .assistantMessage)))
        }
        let words = (0..<number(2...12)).map { "\(answer.id)k\($0)" }
        let stretches = plan.configuration.transcriptPacing == .continuous ? words.map { [$0] } : sentences(of: words)
        let speed = number(3...8)
        for (index, stretch) in stretches.enumerated() {
            let text = (index == 0 ? "" : " ") + stretch.joined(separator: " ")
            answer.steps.append(.init(gap: number(1...20), fact: .answerTranscriptReceived(segment, text: text)))
            for _ in stretch {
                let milliseconds = number(8...18) * 25
                answer.steps.append(
                    .init(
                        gap: milliseconds / speed, fact: .answerAudioReceived(segment, frames: milliseconds * 24)))
            }
        }
        answer.steps.append(.init(gap: 1, fact: .answerAudioDone(segment)))
        answer.steps.append(
            .init(gap: 1, fact: .answerTranscriptDone(segment, text: words.joined(separator: " "))))
    }

    private func sentences(of words: [String]) -> [[String]] {
        var sentences: [[String]] = []
        var rest = words[...]
        while !rest.isEmpty {
            let count = min(rest.count, number(2...5))
            sentences.append(Array(rest.prefix(count)))
            rest = rest.dropFirst(count)
        }
        return sentences
    }

    private func callTool(_ answer: inout StormAnswer) {
        let number = newNumber()
        let other = strikes(.farewell, oneIn: 5) ? "leave" : chance(2) ? "a" : "b"
        let name = strikes(.unknownTool, oneIn: 4) ? "z" : other
        let broken = chance(2) ? "{" : "{\"y\":1}"
        let call = ServerFact.functionCallCompleted(
            responseID: answer.id, itemID: "f\(number)", callID: "c\(number)", name: name,
            arguments: strikes(.brokenArguments, oneIn: 4) ? broken : "{\"x\":\(number)}")
        answer.steps.append(
            .init(gap: 20, fact: .answerItemAdded(responseID: answer.id, itemID: "f\(number)", kind: .functionCall)))
        answer.steps.append(
            .init(gap: 1, fact: .itemAdded(itemID: "f\(number)", previousItemID: nil, kind: .functionCall)))
        answer.steps.append(.init(gap: 40, fact: call))
        if strikes(.duplicateCall, oneIn: 2) { answer.steps.append(.init(gap: 1, fact: call)) }
    }
}
