import GlassesAssistant
import GlassesDomain

/// The tools of a session: the app's, checked, and behind them the built-in ones.
struct SessionTools: Sendable {
    /// The name of the built-in tool by which a model calls off others.
    static let cancelTool = "cancel_tool"

    /// What is offered to the provider, in this order.
    let accepted: [ToolSchemaCheck.Accepted]
    /// The offered tools by name.
    let definitions: [String: ToolDefinition]
    /// The built-in tools that the session's machine carries out itself.
    let roles: [String: ToolFacts.Role]
    /// What was wrong with tools and was mended, or left out.
    let problems: [String]
    /// Why the session cannot start.
    let registrationError: ToolRegistrationError?

    /// The tools of `config`; `deviceLine` gives the device's present state for a model.
    init(config: AssistantConfig, deviceLine: @escaping @Sendable () -> String) {
        let builtIns = Self.builtIns(config, deviceLine)
        registrationError = Self.registrationError(config.tools, builtIns: builtIns)
        let tools = config.tools + builtIns.map(\.definition)
        let checked = ToolSchemaCheck.check(tools.map { .init(name: $0.name, schema: $0.schema) })
        accepted = checked.accepted
        problems = checked.problems.map(\.description)
        let named = Dictionary(tools.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
        definitions = named.filter { tool in checked.accepted.contains { $0.name == tool.key } }
        roles = Dictionary(builtIns.map { ($0.definition.name, $0.role) }, uniquingKeysWith: { first, _ in first })
    }

    private static func registrationError(
        _ tools: [ToolDefinition], builtIns: [BuiltIn]
    ) -> ToolRegistrationError? {
        var names: Set<String> = []
        for tool in tools {
            if let error = tool.registrationError { return error }
            guard names.insert(tool.name).inserted else {
                return ToolRegistrationError(
                    toolName: tool.name, code: "duplicate_name", detail: "another tool has the same name")
            }
            if let builtIn = builtIns.first(where: { $0.definition.name == tool.name }) {
                return ToolRegistrationError(
                    toolName: tool.name, code: "reserved_name",
                    detail: "the session has a tool of this name, \(builtIn.reason)")
            }
        }
        return nil
    }

    // MARK: - Built-in tools

    private struct BuiltIn {
        var definition: ToolDefinition
        var role: ToolFacts.Role
        /// Why it is there, for whoever wants the name.
        var reason: String
    }

    private static func builtIns(
        _ config: AssistantConfig, _ deviceLine: @escaping @Sendable () -> String
    ) -> [BuiltIn] {
        var builtIns: [BuiltIn] = []
        let cancellable = config.tools.filter(\.policy.isCancellable).map(\.name)
        if !cancellable.isEmpty {
            builtIns.append(
                BuiltIn(
                    definition: cancelTool(for: cancellable), role: .cancelsCalls,
                    reason: "by which the model calls off tools whose policy allows it"))
        }
        // It matches any word of a description, and would take these for the app's.
        guard !config.provider.isMock else { return builtIns }
        if config.endOnIntent {
            builtIns.append(
                BuiltIn(
                    definition: endConversation, role: .endsConversation,
                    reason: "by which the model ends the conversation; set endOnIntent to false to have it yourself"))
        }
        if config.includeDeviceInfoTool {
            builtIns.append(
                BuiltIn(
                    definition: deviceInfo(deviceLine), role: .body,
                    reason: "which tells the device; set includeDeviceInfoTool to false to have it yourself"))
        }
        return builtIns
    }

    private static let endConversation = ToolDefinition(
        name: "end_conversation",
        description: "Ends the conversation. Call it when the user says goodbye or wants you to stop listening."
    ) { (_: JSONValue) in .err("end_conversation is carried out by the session.") }

    private static func deviceInfo(_ line: @escaping @Sendable () -> String) -> ToolDefinition {
        ToolDefinition(
            name: "get_device_info",
            description: "Tells as JSON which device the user speaks through, what it has and whether it is connected."
        ) { (_: JSONValue) in .ok(line()) }
    }

    private static func cancelTool(for names: [String]) -> ToolDefinition {
        let parameters: ToolParameters = [
            .choice("name", "The tool to cancel; all that run if left out", of: names).optional
        ]
        return ToolDefinition(
            name: cancelTool, description: "Cancels a running tool when the user does not want its result any more.",
            schema: parameters.schema
        ) { (_: JSONValue) in .err("\(cancelTool) is carried out by the session.") }
    }
}
