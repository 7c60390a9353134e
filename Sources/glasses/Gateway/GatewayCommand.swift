/// `glasses gateway`.
struct GatewayCommand: Command {
    static let spec = CommandSpec(
        "gateway", summary: "Serve realtime voice sessions to other programs and machines.",
        details: [
            "Speaks the OpenAI Realtime protocol (GA) at /v1/realtime, and Gemini Live at the path of its method, so that clients "
                + "need no more than another base URL. "
                + "Sessions are served by the speech engines of this machine as the model 'local', or relayed to the upstreams of "
                + "--upstream. It also answers /v1/realtime/client_secrets, /v1/chat/completions, /v1/memory, /v1/models, "
                + "/metrics and /healthz.",
            "Clients present a token as 'Authorization: Bearer TOKEN'. Tokens come from --token-file or from the variable "
                + "EXTENTOS_GATEWAY_TOKENS, separated by spaces or commas. Without tokens everyone on this machine may use the "
                + "gateway, which is refused when it listens beyond loopback or has upstreams.",
            "--upstream FILE is a JSON file: {\"default\": \"fast\", \"models\": {\"fast\": {\"url\": \"wss://api.example.com/v1\", "
                + "\"model\": \"their-name\", \"key\": {\"env\": \"EXAMPLE_KEY\"}}}}. Each model has a url, the upstream's own name "
                + "as model, and if wanted a key from {\"env\": NAME} or from {\"file\": PATH} with mode 0600 (\"header\": "
                + "\"api-key\" sends it as Azure takes it), a ca file, the dialect \"openai\", \"beta\" or \"gemini\", and capabilities {\"truncate\", "
                + "\"retrieve\", \"delete\"}: false for an event that the upstream does not know. 'default' serves clients that "
                + "name no model or an unknown one. Chats have models of their own: {\"chat\": {\"models\": {\"small\": {\"url\": "
                + "\"https://api.example.com/v1\", \"model\": \"their-name\", \"key\": …}}}}, beside 'models' or alone.",
            "SIGTERM and Ctrl-C end it in order: new sessions are refused, running ones may go on for --drain seconds, and the exit "
                + "code is 0. A second signal ends it at once.",
            "With --json the first line is {\"event\":\"listening\",\"url\":URL}; then ready, sessionStarted, sessionEnded, "
                + "upstreamRefused, draining and stopped. \"t\" is in seconds since the start.",
        ],
        options: GatewayOptions.table,
        examples: [
            "glasses gateway", "glasses gateway --listen 127.0.0.1:0 --json",
            "glasses gateway --listen 0.0.0.0:8443 --tls-cert cert.pem --tls-key key.pem \\",
            "    --token-file tokens --host voice.example.com",
        ])

    private let options: GatewayOptions

    init(_ arguments: ParsedArguments) throws(UsageError) { options = try GatewayOptions(arguments) }

    func run(_ console: Console) async -> ExitStatus {
        await GatewayProgram(options: options, console: console).run()
    }
}
