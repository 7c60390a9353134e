import GlassesAssistant
import GlassesDomain
import Testing

@Suite struct UserFactsTests {
    @Test(
        arguments: [
            ("My name is Ann.", ["name"]), ("so my name is Ann", ["name"]), ("Call me Ann, please.", ["name"]),
            ("I live in Oslo. I work as a nurse!", ["home", "work"]),
            ("I'm allergic to nuts.", ["im allergic to nuts"]),
            ("I'm vegan.", ["diet"]), ("My favourite colour is green.", ["favourite colour"]),
            ("my favorite colour is red", ["favourite colour"]),
            ("Remember that the key is under the mat.", ["remember that the key is under the mat"]),
            ("What is my name?", []), ("Do you know where I live?", []), ("My name is what?", []),
            ("I'm hungry.", []), ("Set a timer for five minutes.", []), ("my name is", []),
            ("Tell me a story in which my name is Ann", []), ("", []),
        ] as [(String, [String])])
    func whatPeopleSayOfThemselvesIsFoundAndNothingElse(text: String, subjects: [String]) {
        #expect(UserFacts.found(in: text).map(\.subject) == subjects)
    }

    @Test func aFactIsKeptInTheUsersWords() {
        #expect(UserFacts.found(in: "Hello.  My name\nis Ann. Bye").map(\.text) == [])
        #expect(UserFacts.found(in: "Hello.  My  name is Ann. Bye").map(\.text) == ["My name is Ann."])
    }
}

@Suite struct MemoryProfileTests {
    private func user(_ text: String) -> Turn { .userText(text: text, timestampMs: 1) }

    @Test func rulesLearnFromWhatTheUserSaidAndANewerWordReplacesTheOlderOne() {
        var profile = MemoryProfile()
        profile.keep([user("My name is Ann."), .assistantText(text: "My name is Bob.", timestampMs: 2)])
        profile.learnByRules(at: 10)
        profile.keep([user("I love tea."), user("Call me Annie.")])
        profile.learnByRules(at: 20)
        #expect(profile.facts.map(\.text) == ["I love tea.", "Call me Annie."])
        #expect(profile.facts.map(\.at) == [20, 20])
        #expect(profile.pending.isEmpty)
    }

    @Test func aProfileSurvivesItsJSONWithWhatOthersAddedToIt() throws {
        var profile = MemoryProfile(json: ["color": "blue", "facts": [["text": "I love tea.", "at": 5]]])
        profile.keep([
            user("hi"), .assistantText(text: "hello", timestampMs: 2),
            .toolInvocation(name: "a", callId: "c", argsJson: "{}", timestampMs: 3),
            .toolReturn(callId: "c", output: "x", timestampMs: 4),
        ])
        let again = MemoryProfile(json: try JSONValue(jsonText: profile.json.jsonText))
        #expect(again == profile)
        #expect(again.json["color"] == "blue")
        #expect(again.pending.count == 4)
    }

    @Test func whatCameWhileAModelReadStays() {
        var profile = MemoryProfile(json: ["facts": [["text": "Likes tea.", "at": 5]]])
        profile.keep((0..<MemoryProfile.pendingLimit).map { user("\($0)") })
        let told = profile
        // Another session learns by rules, and newer turns take the place of the oldest.
        profile.learn(["Likes tea.", "Is ten."], of: [], told: told.facts, at: 6)
        profile.keep([user("new")])
        profile.learn(["Likes green tea."], of: Array(told.pending.prefix(3)), told: told.facts, at: 9)
        #expect(profile.facts.map(\.text) == ["Likes green tea.", "Is ten."])
        #expect(profile.pending.first == user("3"))
        #expect(profile.pending.last == user("new"))
    }

    @Test(arguments: ["null", "5", #"{"facts":5,"pending":{}}"#, #"{"facts":[{"text":5},7],"pending":[{"type":"x"}]}"#])
    func whatIsNoProfileIsAnEmptyOne(text: String) throws {
        let profile = MemoryProfile(json: try JSONValue(jsonText: text))
        #expect(profile.facts.isEmpty && profile.pending.isEmpty)
        #expect(profile.preamble == nil)
    }

    @Test func aModelsFactsTakeThePlaceOfTheOldOnesAndKnownOnesKeepTheirTime() {
        var profile = MemoryProfile(json: ["facts": [["text": "Likes tea.", "at": 5], ["text": "Is ten.", "at": 6]]])
        profile.keep([user("a"), user("b")])
        profile.keep([user("c")])
        let told = profile
        profile.learn(["Likes tea.", "Is eleven.", " "], of: Array(told.pending.prefix(2)), told: told.facts, at: 9)
        #expect(profile.facts.map(\.text) == ["Likes tea.", "Is eleven."])
        #expect(profile.facts.map(\.at) == [5, 9])
        #expect(profile.pending == [user("c")])
    }

    @Test func everythingIsBounded() throws {
        var profile = MemoryProfile()
        for number in 0..<500 {
            profile.keep([user("I love number \(number) and " + String(repeating: "x ", count: 60))])
            if number == 250 { profile.learnByRules(at: 0) }
        }
        #expect(profile.pending.count == MemoryProfile.pendingLimit)
        profile.learnByRules(at: 1)
        #expect(profile.facts.count == MemoryProfile.factLimit)
        let preamble = try #require(profile.preamble)
        #expect(preamble.count <= MemoryProfile.preambleLimit && preamble.count > 3_500)
        #expect(preamble.contains("number 499 ") && !preamble.contains("number 300 "))
    }
}

@Suite struct TellingSentencesTests {
    @Test func theSummaryKeepsFactsAndDeedsInTheirOrderWithinItsLimit() {
        var turns: [Turn] = [.userText(text: "My name is Ann.", timestampMs: 1)]
        for number in 0..<60 {
            turns.append(.userText(text: "Tell me about number \(number) in some detail, please", timestampMs: 2))
            turns.append(.assistantText(text: String(repeating: "word \(number) ", count: 40), timestampMs: 3))
        }
        turns.append(.toolInvocation(name: "pay", callId: "c", argsJson: #"{"sum":5}"#, timestampMs: 4))
        turns.append(.toolReturn(callId: "c", output: "paid", timestampMs: 5))
        let summary = TellingSentences.summary(of: turns)
        #expect(summary.count <= TellingSentences.limit)
        let lines = summary.split(separator: "\n")
        #expect(lines.first == "User: My name is Ann.")
        #expect(lines.suffix(2) == [#"Called pay with {"sum":5}"#, "Result of pay: paid"])
        #expect(summary.contains("number 59 ") && !summary.contains("number 1 "))
        #expect(TellingSentences.summary(of: []).isEmpty)
    }

    @Test func anEarlierSummaryIsPartOfTheNext() {
        let earlier = ConversationSummary.turn("User: My name is Ann.", timestampMs: 1)
        let summary = TellingSentences.summary(of: [earlier, .userText(text: "hello", timestampMs: 2)])
        #expect(summary == "User: My name is Ann.\nUser: hello")
        #expect(ConversationSummary.text(of: earlier) == "User: My name is Ann.")
        #expect(ConversationSummary.text(of: .assistantText(text: "hello", timestampMs: 1)) == nil)
    }
}
