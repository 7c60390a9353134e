import GlassesDomain

/// Starts code of the app on its own threads. Nothing ever waits for it: its end is reported.
enum AppCode {
    /// Runs a tool body; `ended` is called once, when it returned or threw.
    static func run(
        tool: ToolDefinition, arguments: JSONValue, ended: @escaping @Sendable (Result<ToolResult, any Error>) -> Void
    ) -> Task<Void, Never> {
        Task(executorPreference: AppCodeThreads.shared) {
            do {
                ended(.success(try await tool.body(arguments)))
            } catch {
                ended(.failure(error))
            }
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
