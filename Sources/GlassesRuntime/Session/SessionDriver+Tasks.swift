import GlassesAssistant
import GlassesDomain

/// Timers, tool bodies and hooks.
extension SessionDriver {
    func start(_ action: TimerAction) {
        switch action {
        case .cancel(let timer): running.cancel(.timer(timer))
        case .schedule(let timer, let moment):
            let clock = ports.clock
            running.start(.timer(timer)) { ticket in
                Task(executorPreference: RuntimeThreads.shared) { [weak self] in
                    do {
                        try await clock.sleepUntil(moment)
                    } catch {
                        return  // Cancelled: the machine has forgotten the timer.
                    }
                    self?.deliver(.ended(ticket, .timerFired(timer)))
                }
            }
        }
    }

    func start(_ action: HookAction) {
        switch action {
        case .cancelAll: running.cancelHooks()
        case .run(let hook):
            let body = hook == .onWake ? config.onWake : config.onSleep
            guard let body, let session else { return post(.hookEnded(hook, errorMessage: nil)) }
            running.start(hook) { ticket in
                AppCode.run(hook: body, session: session) { [weak self] in
                    self?.deliver(.ended(ticket, .hookEnded(hook, errorMessage: $0)))
                }
            }
        }
    }

    func start(_ action: ToolAction) {
        switch action {
        case .cancel(let callID): running.cancel(.body(callID: callID))
        case .run(let callID, let name, let arguments):
            guard let tool = settings.tools.definitions[name] else {
                return post(.toolThrew(callID: callID, message: "\(name) is not registered"))
            }
            let threads = ports.appCode
            guard threads.reserve() else {
                // Another session's bodies hold the threads, of which this session's machine knows nothing.
                let count = AppCodeThreads.threadCount
                let sentence = "\(name) was not run: busy, \(count) tools are running. Try again later."
                return post(.toolReturned(callID: callID, output: sentence, isError: true))
            }
            let call = ToolCall(callId: callID, toolName: name) { [weak self] note, isAloud in
                self?.post(.toolProgressed(callID: callID, note: note, isAloud: isAloud))
            }
            running.start(.body(callID: callID)) { ticket in
                AppCode.run(tool: tool, arguments: arguments, call: call, on: threads) { [weak self] outcome in
                    self?.deliver(.ended(ticket, Self.end(of: callID, outcome)))
                }
            }
        }
    }

    private static func end(of callID: String, _ outcome: Result<ToolResult, any Error>) -> SessionInput {
        switch outcome {
        case .success(.ok(let output)): .toolReturned(callID: callID, output: output, isError: false)
        case .success(.err(let output)): .toolReturned(callID: callID, output: output, isError: true)
        case .failure(let error as ToolError): .toolReturned(callID: callID, output: error.message, isError: true)
        case .failure(let error): .toolThrew(callID: callID, message: String(describing: error))
        }
    }
}
