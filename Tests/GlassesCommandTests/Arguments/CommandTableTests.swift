import Testing

@testable import glasses

@Suite("Command table")
struct CommandTableTests {
    private static let names = [
        "talk", "replay", "say", "listen", "transcribe", "photo", "record", "devices", "plugins list", "plugins info",
        "plugins scan",
        "plugins show", "plugins grant", "plugins revoke", "plugins validate", "plugins pack", "plugins new", "doctor",
        "gateway", "mock",
        "bench answer", "bench barge-in", "bench client", "version",
    ]

    private static let pluginCommands = names.filter { $0.hasPrefix("plugins ") }.joined(separator: ", ")

    private func text(_ arguments: [String]) throws -> String {
        guard case .help(let text) = try CommandLineTool.call(arguments) else {
            Issue.record("\(arguments) shows no help.")
            return ""
        }
        return text
    }

    @Test("all commands are there")
    func commands() { #expect(CommandLineTool.commands.map { $0.spec.name } == Self.names) }

    @Test("every command has the same help by both ways, with each of its options", arguments: names)
    func help(_ name: String) throws {
        let words = name.split(separator: " ").map(String.init)
        let help = try text(["help"] + words)
        #expect(try text(words + ["--help"]) == help)
        let spec = try #require(CommandLineTool.commands.map { $0.spec }.first { $0.name == name })
        for option in spec.allOptions { #expect(help.contains("  " + option.usage)) }
        #expect(help.hasPrefix("Usage: glasses \(name) [options]"))
        #expect(help.split(separator: "\n").allSatisfy { $0.count <= 80 })
    }

    @Test("option names are unique in each command", arguments: names)
    func uniqueOptions(_ name: String) throws {
        let spec = try #require(CommandLineTool.commands.map { $0.spec }.first { $0.name == name })
        let options = spec.allOptions.map(\.name)
        #expect(Set(options).count == options.count)
        #expect(options.allSatisfy { $0.hasPrefix("--") })
    }

    @Test("the overview names every command", arguments: [["--help"], ["-h"], ["help"]])
    func overview(_ arguments: [String]) throws {
        let overview = try text(arguments)
        for name in Self.names { #expect(overview.contains("  \(name) ")) }
    }

    @Test("a group's help lists its commands", arguments: [["help", "plugins"], ["plugins", "--help"]])
    func group(_ arguments: [String]) throws {
        let help = try text(arguments)
        #expect(help.contains("plugins list"))
        #expect(!help.contains("doctor"))
    }

    @Test(
        "a command line that calls nothing is refused with a way out",
        arguments: [
            ([], "a command is missing: " + names.joined(separator: ", ")),
            (["tlak"], "unknown command 'tlak'; did you mean 'talk'?"),
            (["--devcie"], "unknown command '--devcie'"),
            (["bench"], "'bench' needs one of: bench answer, bench barge-in, bench client"),
            (["plugins"], "'plugins' needs one of: " + pluginCommands),
            (["plugins", "remove"], "'plugins' needs one of: " + pluginCommands),
            (["help", "frobnicate"], "unknown command 'frobnicate'"),
        ] as [([String], String)])
    func refused(_ arguments: [String], _ message: String) {
        do throws(UsageError) {
            _ = try CommandLineTool.call(arguments)
            Issue.record("\(arguments) was taken.")
        } catch { #expect(error.message == message) }
    }

    @Test(
        "options that contradict each other are refused",
        arguments: [
            (["talk", "--device", "null", "--mic", "hw:0"], "--mic is for a device of the system"),
            (["talk", "--say", " "], "--say and --type need a text"),
            (["talk", "--mic", "none", "--say", "hello"], "--say needs a microphone"),
            (["talk", "--record="], "--record needs a folder"),
            (["talk", "--gateway", "gateway.example"], "The gateway's URL is not usable"),
            (["talk", "--gateway", "embedded", "--model", "m"], "--model needs the URL of a gateway"),
            (["doctor", "--gateway", "embedded", "--ca", "f"], "--ca needs the URL of a gateway"),
            (["say", " "], "TEXT is empty"),
            (["listen", "--file", "a.wav", "--seconds", "3"], "--file is read to its end"),
            (["bench", "answer", "--mic", "none"], "a meter needs a microphone and a loudspeaker"),
            (["bench", "answer", "--say", "a", "--question", "b"], "--question and --say exclude each other"),
            (["bench", "answer", "--rounds", "2.5"], "--rounds takes a whole number"),
            (["bench", "barge-in", "--interrupt", " "], "--interrupt needs a text"),
        ] as [([String], String)])
    func contradictions(_ arguments: [String], _ beginning: String) {
        do throws(UsageError) {
            _ = try CommandLineTool.call(arguments)
            Issue.record("\(arguments) was taken.")
        } catch { #expect(error.message.hasPrefix(beginning)) }
    }

    @Test("the script of talk keeps spoken and typed lines in the order given")
    func script() throws {
        let arguments = ["--type", "one", "--say", "two", "--type=three"]
        guard case .run(let parsed) = try ArgumentParser.parse(arguments, for: TalkCommand.spec) else {
            Issue.record("The arguments were not taken.")
            return
        }
        #expect(try TalkOptions(parsed).script == [.typed("one"), .spoken("two"), .typed("three")])
    }
}
