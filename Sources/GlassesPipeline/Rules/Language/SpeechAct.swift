/// What a speaker does with a sentence, as far as it matters for calling tools.
enum SpeechAct: Equatable {
    /// "take a picture", "could you please take a picture"; the verb is at `head`.
    /// What stands before it from `start` on is a time or place: "at six remind me …".
    case command(head: Int, start: Int)
    /// "I need a timer"; the thing begins at `start`.
    case wish(start: Int)
    /// "what time is it", "is it raining".
    case question(start: Int)
    /// No verb: "five minute timer", "flashlight on".
    case phrase(start: Int)
    /// "don't take a picture", "no pictures please".
    case refusal
    /// "my timer broke", "how do timers work", "if I took a picture": talks about it and asks for nothing.
    case remark
}

/// Finds the speech act of one sentence or clause.
struct SpeechActReader {
    private let tokens: [Token]
    private let range: Range<Int>
    private var position: Int
    /// Verbs that only the registered tools know.
    private let verbs: Set<String>

    /// The act of the clause in `range`, which is not empty.
    static func act(of tokens: [Token], in range: Range<Int>, verbs: Set<String> = []) -> SpeechAct {
        var reader = SpeechActReader(tokens: tokens, range: range, position: range.lowerBound, verbs: verbs)
        return reader.read()
    }

    private func word(_ offset: Int = 0) -> String {
        let index = position + offset
        return index < range.upperBound ? tokens[index].lower : ""
    }

    private func starts(with phrase: [String]) -> Bool {
        phrase.enumerated().allSatisfy { word($0.offset) == $0.element }
    }

    private mutating func skip(_ phrases: [[String]]) -> Bool {
        guard let phrase = phrases.first(where: { starts(with: $0) }), position + phrase.count < range.upperBound else {
            return false
        }
        position += phrase.count
        return true
    }

    private mutating func read() -> SpeechAct {
        var isCapabilityForm = false
        var allowsGerund = false
        while true {
            if skip(Self.greetings) { continue }
            if isCorrection { position += 1; continue }
            if skip(Self.capabilityPrefixes) { isCapabilityForm = true; continue }
            if skip(Self.gerundPrefixes) { allowsGerund = true; continue }
            if skip(Self.requestPrefixes) { continue }
            if !isCapabilityForm, ["wait", "no", "yes", "yeah", "sure", "actually"].contains(word()),
                position + 1 < range.upperBound,
                tokens[position + 1].breakBefore != .none
            {
                position += 1; continue
            }
            break
        }
        if isRefusal { return .refusal }
        if let start = reportedQuestion() { position = start }
        if Self.hypotheses.contains(where: starts) { return .remark }
        if skip(Self.possessionPrefixes) { return .wish(start: position) }
        if isQuestion { return isExplanation ? .remark : .question(start: position) }
        if skip(Self.wishPrefixes) { return isRefusal ? .refusal : .wish(start: position) }
        if isCapabilityForm, isBarePlural { return .remark }
        return readStatementOrCommand(allowsGerund: allowsGerund)
    }

    /// "no, take a picture": the comma tells it from "no picture".
    private var isCorrection: Bool {
        ["no", "not"].contains(word()) && word(1) == "wait"
    }

    private var isRefusal: Bool {
        if Self.keepInMind.contains(where: starts) { return false }
        return Self.refusals.contains(where: starts)
    }

    /// "tell me what time it is", "do you know where my keys are" ask what the inner question asks.
    private func reportedQuestion() -> Int? {
        for frame in Self.questionFrames where starts(with: frame) {
            let next = word(frame.count)
            if FunctionWords.questionWords.contains(next) || next == "if" || next == "whether" {
                return position + frame.count + (next == "if" || next == "whether" ? 1 : 0)
            }
        }
        return nil
    }

    private var isQuestion: Bool {
        let first = word()
        if FunctionWords.questionWords.contains(first) { return true }
        if ["is", "are", "was", "were", "does", "did", "has", "am"].contains(first) {
            return position + 1 < range.upperBound
        }
        if ["any"].contains(first) { return true }
        return ["do", "have", "will", "would", "should", "shall", "may", "might", "must", "can", "could"].contains(
            first)
            && (FunctionWords.pronouns.contains(word(1))
                || FunctionWords.determiners.contains(word(1)) && !["do", "have"].contains(first)
                || ["can", "could", "should", "would", "will"].contains(first) || word(1) == "there")
    }

    /// Questions about how the world works, about the past and about the assistant, none of which a tool answers.
    private var isExplanation: Bool {
        let first = word()
        let second = word(1)
        if first == "why" || first == "whose" || first == "whom" { return true }
        if ["should", "would", "shall", "may", "might", "must", "can", "could"].contains(first) { return true }
        if ["do", "does", "did", "are", "have", "were", "will"].contains(first), second == "you" { return true }
        if containsAny(["your", "yours", "yourself"]) { return true }
        if first == "how" { return isHowTo }
        if ["what", "which", "who", "when", "where"].contains(first),
            ["should", "would", "could", "might", "happens", "happened", "if"].contains(second)
        {
            return true
        }
        if ["what", "who", "which"].contains(first), ["is", "are"].contains(second), ["a", "an"].contains(word(2)) {
            return true
        }
        if first == "what",
            ["are", "makes", "made", "kind", "kinds", "sort", "type", "types", "causes"].contains(second),
            isBareAfter(2)
        {
            return true
        }
        if first == "who" { return Lemma.isPast(second) || second == "was" }
        if ["what", "when", "where", "which"].contains(first), ["do", "does", "did"].contains(second), word(2) == "you"
        {
            // What the assistant remembers was given to a tool, which answers that.
            return !(first == "what" && second == "do" && ["remember", "recall"].contains(word(3)))
        }
        if first == "when", ["was", "were", "did"].contains(second) { return true }
        if first == "where", ["do", "does"].contains(second), word(2) != "i" { return true }
        return containsAny([
            "invented", "difference", "work", "works", "happens", "purpose", "history", "meaning of life",
        ])
    }

    private var isHowTo: Bool {
        let second = word(1)
        if ["do", "does", "did", "can", "could", "would", "should", "to", "come", "am", "was", "were"].contains(second)
        {
            let isSaying =
                ["you", "i", "we", "one"].contains(word(2)) && ["say", "spell", "pronounce"].contains(word(3))
            let isGoing =
                ["i", "we"].contains(word(2)) && ["get", "go"].contains(word(3)) && containsAny(["to", "home"])
            return !(isSaying || isGoing || starts(with: ["how", "am", "i", "doing"]))
        }
        if ["are", "is"].contains(second) {
            return containsAny(["made", "built", "used", "you", "done"]) || (second == "are" && isBareAfter(2))
        }
        return containsAny(["cost", "costs", "invented", "takes"]) && !containsAny(["trip", "ride"])
    }

    /// Whether a bare noun (no "the", "my", "there") follows, as in statements about a kind.
    private func isBareAfter(_ offset: Int) -> Bool {
        let next = word(offset)
        return
            !(["the", "my", "our", "there", "i", "we", "new", "today's", "tomorrow's"].contains(next)
            || next.hasSuffix("'s"))
    }

    private func containsAny(_ words: Set<String>) -> Bool {
        tokens[position..<range.upperBound].contains { words.contains($0.lower) }
    }

    /// "can you take pictures" asks what the assistant is able to do.
    private var isBarePlural: Bool {
        guard range.upperBound - position == 2 else { return false }
        let object = word(1)
        return object.hasSuffix("s") && !object.hasSuffix("ss") && object.count > 3
    }

    private func readStatementOrCommand(allowsGerund: Bool) -> SpeechAct {
        let first = word()
        if Self.keepInMind.contains(where: starts) { return .command(head: position, start: position) }
        if Self.reminiscences.contains(where: starts) { return .remark }
        if let head = frontedHead() { return .command(head: head, start: position) }
        if ["nobody", "nothing", "none", "people", "anybody", "everything"].contains(first) { return .remark }
        if FunctionWords.pronouns.contains(first) || ["there", "here", "that", "this", "it"].contains(first) {
            return .remark
        }
        let isDetermined = FunctionWords.determiners.contains(first)
        let next = word(1)
        if !isDetermined, !isActionWord(first), isUnknownVerb(first, before: next) { return .remark }
        if isDetermined || !isActionWord(first) {
            return isFinite(from: position + 1) || isThirdPerson ? .remark : .phrase(start: position)
        }
        if FunctionWords.auxiliaries.contains(next), next != "do", next != "can" { return .remark }
        if ["does", "did", "would", "could", "should"].contains(next), word(2) == "not" { return .remark }
        // "stream of consciousness" is a thing.
        if next == "of" { return .remark }
        if first.hasSuffix("ing"), first.count > 5, !allowsGerund { return .remark }
        if Lemma.isPast(first) { return .remark }
        return .command(head: position, start: position)
    }

    /// Where the verb is, behind a time or place that the sentence begins with.
    private func frontedHead() -> Int? {
        let first = word()
        let isPreposition = ["at", "in", "on", "for", "by", "after", "from"].contains(first)
        let inner = isPreposition ? position + 1 : position
        let times = [
            DurationGrammar.duration(in: tokens, at: inner)?.count, CalendarGrammar.date(in: tokens, at: inner)?.count,
            isPreposition ? CalendarGrammar.clock(in: tokens, at: inner)?.count : nil,
        ]
        var end = inner + (times.compactMap { $0 }.max() ?? 0)
        if end == inner, isPreposition, inner < range.upperBound, ["the", "my"].contains(tokens[inner].lower) {
            end =
                (inner + 1..<min(inner + 4, range.upperBound)).first {
                    isActionWord(tokens[$0].lower) && !Thesaurus.things.contains(tokens[$0].stem)
                } ?? inner
        }
        while end > inner, end < range.upperBound,
            ["please", "can", "could", "you", "at", "just"].contains(tokens[end].lower)
        {
            if tokens[end].lower == "at" {
                guard let clock = CalendarGrammar.clock(in: tokens, at: end + 1) else { return nil }
                end += clock.count
            }
            end += 1
        }
        guard end > inner, end < range.upperBound, isActionWord(tokens[end].lower), !Lemma.isPast(tokens[end].lower)
        else { return nil }
        return end
    }

    /// "sing a song", "feed the cat": a word before a determiner that is no thing is a verb that no tool is known by.
    private func isUnknownVerb(_ first: String, before next: String) -> Bool {
        if ["me", "us", "him", "them"].contains(next), !FunctionWords.all.contains(first) { return true }
        guard
            ["a", "an", "the", "my", "your", "our", "me", "us", "him", "her", "them", "some", "these", "those"]
                .contains(next)
        else { return false }
        return !Thesaurus.things.contains(Lemma.stem(first)) && NumberGrammar.number(in: tokens, at: position) == nil
            && !FunctionWords.all.contains(first)
    }

    private func isActionWord(_ word: String) -> Bool {
        if ["tion", "sion", "ings"].contains(where: word.hasSuffix) { return false }
        return verbs.contains(Lemma.stem(word)) || Thesaurus.actions.contains(Lemma.stem(word))
            || Thesaurus.actions.contains("\(word)_\(self.word(1))")
            || ["turn", "switch", "shut", "power", "bring", "get"].contains(word)
    }

    /// "Tom locks the door"
    private var isThirdPerson: Bool {
        let verb = word(1)
        guard verb.hasSuffix("s"), !verb.hasSuffix("ss"), Thesaurus.actions.contains(Lemma.stem(verb)) else {
            return false
        }
        return FunctionWords.determiners.contains(word(2))
    }

    private func isFinite(from start: Int) -> Bool {
        guard start < range.upperBound else { return false }
        let verbs: Set<String> = [
            "is", "are", "was", "were", "has", "have", "had", "does", "did", "do", "will", "would", "should", "could",
            "am", "went", "says", "seems", "looks", "keeps", "needs", "makes", "sounds",
        ]
        return tokens[start..<range.upperBound].contains { verbs.contains($0.lower) || Lemma.isPast($0.lower) }
    }
}

extension SpeechActReader {
    private static func phrases(_ text: String) -> [[String]] {
        text.split(separator: ",").map { $0.split(separator: " ").map(String.init) }.sorted { $0.count > $1.count }
    }

    private static let greetings = phrases(
        "hey there,hey glasses,hey assistant,hey computer,ok glasses,okay glasses,hey,hi,hello,yo,ok,"
            + "okay,um,uh,er,ah,oh,well,so,then,and,also,alright,all right,right,"
            + "now,just,please,kindly,quickly,actually,but,glasses,assistant,computer,good morning,sorry,"
            + "excuse me,first,first of all,finally,lastly,oh and,sure,next up,afterwards,great,cool"
    )
    private static let capabilityPrefixes = phrases(
        "can you,could you,will you,would you,are you able to,will you please,can you please")
    private static let gerundPrefixes = phrases("would you mind,do you mind,mind,how about,what about,you mind")
    private static let requestPrefixes = phrases(
        "i was wondering if you could,i wonder if you could,i would appreciate it if you could,"
            + "i would be grateful if you could,would you be so kind and,it would be nice if you could,"
            + "could i ask you to,can i ask you to,i would prefer you to,would it be okay to,please could you,"
            + "go ahead and,do me a favor and,do me a favour and,please go ahead and,i want you to,"
            + "i would like you to,i need you to,i want to,i would like to,i need to,"
            + "i would love to,let us,let me,time to,it is time to,be so kind as to,be so kind and,"
            + "feel free to,try to,try and,help me to,help me,why do not you,why not,why do not we,"
            + "is it possible to,would it be possible to,may i,can i,could i,can we,could we,you can,"
            + "you should,i would love for you to,i will need you to,maybe,would you be able to,"
            + "i am trying to,i am going to need you to,make sure to,make sure you,be sure to,"
            + "do not hesitate to,just go ahead and,hurry up and,it would be great if you could,"
            + "i was hoping you could,"
            + "do you think you could,if you could,if you can,if possible,kindly,i'd like to,perhaps,quick,got to")
    private static let wishPrefixes = phrases(
        "i need,i want,i would like,i would love,we need,i could use,i will have,i will take,"
            + "i am looking for,i require,i am after,i feel like,i am in the mood for"
    )
    private static let possessionPrefixes = phrases(
        "do you know a,do you know any,do you have any,do you have the,have you got the,you got the,got the")
    private static let refusals = phrases(
        "do not,never,not,no,no need,i do not want,i do not need,i would rather not,you do not need,"
            + "you do not have,there is no need,you should not,you must not,cancel that,"
            + "we do not need,stop asking,i would prefer not,please do not,under no circumstances,"
            + "it is not necessary,no longer,there is no reason"
    )
    private static let keepInMind = phrases("do not forget,never forget,do not let me forget,make sure i do not forget")
    private static let reminiscences = phrases(
        "leave me alone,leave it,go to sleep,go to bed,go to hell,go ahead,map out,answer the door,answer the call of,remember when,remember how,"
            + "remember the time,remember the day,picture this,picture that,imagine,suppose,guess what,"
            + "guess who,forget about,forget it,forget that,thank you,thanks,"
            + "take care,take it easy,take your time,give me a break,call it,take that,take over,"
            + "take a look at that,take a guess,take a nap,take a break,set aside,get out,get lost,shut up,"
            + "say cheese"
    )
    private static let questionFrames = phrases(
        "tell me,can you tell me,could you tell me,do you know,do you happen to know,i want to know,"
            + "i need to know,i would like to know,i wonder,any idea,show me,let me know,know,check,"
            + "do you remember,remind me,see,any clue,do you have any idea")
    private static let hypotheses = phrases(
        "if,when i,when we,when you,when it,when he,when she,when the,when they,when my,whenever,unless,"
            + "once,suppose,imagine,what if,as soon as,every time,i wish,in case,had i,assuming,provided,"
            + "until,while,after,before,because,should i,"
            + "although,even if,just because,since")
}
