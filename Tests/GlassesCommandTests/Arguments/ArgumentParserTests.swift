import Testing

@testable import glasses

@Suite("Argument parser")
struct ArgumentParserTests {
    private static let spec = CommandSpec(
        "paint", summary: "Paint.", positional: .init(name: "THING", help: "What to paint."),
        options: [
            OptionSpec("--colour", .choice(["red", "blue"]), help: "The colour."),
            OptionSpec("--coats", .number("N", 1...3), help: "How many coats."),
            OptionSpec("--note", .text("TEXT"), isRepeatable: true, help: "A note."),
            OptionSpec("--dry", help: "Let it dry."),
        ])

    private func parse(_ arguments: [String]) throws -> ParsedArguments? {
        if case .run(let parsed) = try ArgumentParser.parse(arguments, for: Self.spec) { parsed } else { nil }
    }

    private func complaint(_ arguments: [String]) -> String? {
        do throws(UsageError) {
            _ = try ArgumentParser.parse(arguments, for: Self.spec)
            return nil
        } catch { return error.message }
    }

    @Test("a value may follow its option or an equals sign")
    func values() throws {
        let parsed = try #require(try parse(["--colour", "red", "--coats=2", "wall", "--dry"]))
        #expect(parsed.text("--colour") == "red")
        #expect(parsed.number("--coats") == 2)
        #expect(parsed.has("--dry"))
        #expect(parsed.words == ["wall"])
    }

    @Test("a repeatable option keeps every value in the order given")
    func repeatedOption() throws {
        let parsed = try #require(try parse(["--note", "b", "door", "--note=a"]))
        #expect(parsed.occurrences.map(\.value) == ["b", "a"])
    }

    @Test("after two dashes everything is a word, and a value with dashes is given with an equals sign")
    func dashes() throws {
        let parsed = try #require(try parse(["--note=--x", "--", "--dry", "-y"]))
        #expect(parsed.text("--note") == "--x")
        #expect(parsed.words == ["--dry", "-y"])
        #expect(!parsed.has("--dry"))
    }

    @Test("help is shown wherever it is asked for, whatever else is wrong", arguments: ["--help", "-h"])
    func help(_ flag: String) throws {
        #expect(try ArgumentParser.parse(["--colour", "red", flag], for: Self.spec) == .help)
        #expect(try ArgumentParser.parse([flag, "--unknown"], for: Self.spec) == .help)
    }

    @Test(
        "a wrong argument is named",
        arguments: [
            (["wall", "--color", "red"], "unknown option --color; did you mean '--colour'?"),
            (["wall", "--zzzzzz"], "unknown option --zzzzzz"),
            (["wall", "-x"], "unknown option -x"),
            (["wall", "--colour"], "--colour needs a value: --colour red|blue"),
            (["wall", "--colour", "--dry"], "--colour needs a value: --colour red|blue"),
            (["wall", "--colour", "bleu"], "--colour takes red or blue, not 'bleu'; did you mean 'blue'?"),
            (["wall", "--coats", "4"], "--coats takes a number from 1 to 3, not '4'"),
            (["wall", "--coats", "nan"], "--coats takes a number from 1 to 3, not 'nan'"),
            (["wall", "--dry=yes"], "--dry takes no value"),
            (["wall", "--dry", "--dry"], "--dry was given twice"),
            (["--dry"], "THING is missing"),
        ] as [([String], String)])
    func wrongArguments(_ arguments: [String], _ message: String) {
        #expect(complaint(arguments) == message)
    }

    @Test("a command without words refuses one")
    func unexpectedWord() {
        #expect(throws: UsageError("'version' does not know what to do with 'now'", command: "version")) {
            try ArgumentParser.parse(["now"], for: VersionCommand.spec)
        }
    }

    @Test(
        "a suggestion is a near word or none",
        arguments: [("tlak", "talk"), ("lissten", "listen"), ("doc", "doctor"), ("banana", nil), ("", nil)]
            as [(String, String?)])
    func suggestions(_ word: String, _ expected: String?) {
        #expect(Suggestion.nearest(to: word, among: ["talk", "say", "listen", "devices", "doctor"]) == expected)
    }

    @Test(
        "the distance counts insertions, deletions, replacements and swaps",
        arguments: [("talk", "talk", 0), ("tlak", "talk", 1), ("tal", "talk", 1), ("talkk", "talk", 1), ("", "say", 3)])
    func distances(_ first: String, _ second: String, _ expected: Int) {
        #expect(Suggestion.distance(first, second) == expected)
    }
}
