/// `glasses talk`.
struct TalkCommand: Command {
    static let spec = CommandSpec(
        "talk", summary: "Hold a spoken conversation with the assistant.",
        details: [
            "Without --say and --type the conversation lasts until Ctrl-C. Say \"what time is it\", \"set a timer for five minutes\", "
                + "\"remember that my keys are in the kitchen\", \"what did I ask you to remember\" or \"take a picture\". \"Stop\" "
                + "ends a ringing timer; when nothing rings, the assistant falls asleep, as it does after a minute of silence and "
                + "when you say \"go to sleep\". A line on standard input wakes it; a line with text is a typed turn. The end of "
                + "standard input ends nothing.",
            "--say and --type run one after another in the order given, each after the previous answer was played; then talk "
                + "ends and names the timers that it drops.",
            "With --gateway, or with EXTENTOS_GATEWAY_URL, a gateway serves the session and no speech engine of this machine is "
                + "needed, except the voice for --say. A lost connection is made again by itself.",
            "With --json the events are ready, state, sessionStarted, userSpoke, assistantSpoke, assistantAudioStarted, "
                + "assistantAudioFinished, toolCalled, toolResult, timerRinging, timerStopped, turnStages, speechFallback, "
                + "speechJudgeLost, pluginStarted, pluginDied, pluginReplaced, pluginGivenUp, reconnected, error, wentDormant, "
                + "sessionEnded and, last, summary. \"t\" is in seconds since the start. ready means that speech is heard from "
                + "now on, and names the engines that serve; turnStages tells where the time between your last word and the "
                + "answer went; the plugin events tell which process carries which plugin, and how often it had to be replaced.",
        ],
        options: TalkOptions.table,
        examples: [
            "glasses talk", "glasses talk --device null --say \"what time is it\"",
            "glasses talk --type \"set a timer for ten seconds\" --json",
            "glasses talk --gateway wss://gateway.example/v1 --token-file token",
        ])

    private let options: TalkOptions

    init(_ arguments: ParsedArguments) throws(UsageError) { options = try TalkOptions(arguments) }

    func run(_ console: Console) async -> ExitStatus {
        await TalkProgram(options: options, console: console).run()
    }
}
