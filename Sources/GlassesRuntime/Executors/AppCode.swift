import GlassesDomain

/// Starts code of the app on its own threads. Nothing ever waits for it: its end is reported.
enum AppCode {
    /// Runs a tool body in a reserved place; `ended` is called once, when it ended and the place is free again.
    static func run(
        tool: ToolDefinition, arguments: JSONValue, call: ToolCall, on threads: AppCodeThreads,
        ended: @escaping @Sendable (Result<ToolResult, any Error>) -> Void
    ) -> Task<Void, Never> {
        Task(executorPreference: threads) {
            let result: Result<ToolResult, any Error>
            do {
                result = .success(try await ToolCall.$current.withValue(call) { try await tool.body(arguments) })
            } catch {
                result = .failure(error)
            }
            threads.release()
            ended(result)
        }
    }

    /// Runs a hook; `ended` is called once, with a sentence when it threw.
    static func run(
        hook: @escaping AssistantConfig.Hook, session: any AssistantSession,
        ended: @escaping @Sendable (String?) -> Void
    ) -> Task<Void, Never> {
        Task(executorPreference: AppCodeThreads.shared) {
            do {
                try await hook(session)
                ended(nil)
            } catch {
                ended(String(describing: error))
            }
        }
    }
}
