import GlassesAssistant
import GlassesDomain

/// Summaries and what is remembered.
extension SessionDriver {
    /// How long a summary may take, by a model or by the app.
    private static let compactionLimit = Duration.seconds(60)
    /// How long `stop()` waits for the disk, once the session has ended.
    private static let storeLimit = Duration.milliseconds(250)

    func start(_ action: MemoryAction) {
        switch action {
        case .load:
            guard let keeper else { return post(.memoryLoaded(nil)) }
            Task(executorPreference: RuntimeThreads.shared) { [weak self] in
                let preamble = await keeper.preamble()
                self?.post(.memoryLoaded(preamble))
            }
        case .remember(let turns): lastStored = keeper?.remember(turns)
        case .abandon(let id): running.cancel(.compaction(id))
        case .compact(let id, let turns): compact(turns, id)
        }
    }

    private func compact(_ turns: [Turn], _ id: CompactionID) {
        let (clock, events) = (ports.clock, ports.events)
        guard let work = compactionWork(turns, id) else {
            events.log(.warn, "history.not_compacted", ["code": "busy"])
            return post(.compactionFailed(id))
        }
        running.start(.compaction(id)) { ticket in
            Task(executorPreference: RuntimeThreads.shared) { [weak self] in
                let outcome = await FirstAnswer<Result<SessionInput, any Error>>.race(
                    work, until: clock.now().advanced(by: Self.compactionLimit), clock: clock)
                switch outcome {
                case .success(let input): self?.deliver(.ended(ticket, input))
                case .failure(let error):
                    let code = (error as? ChatFailure)?.code ?? (error is CancellationError ? "cancelled" : "failed")
                    events.log(.warn, "history.not_compacted", ["code": .string(code)])
                    self?.deliver(.ended(ticket, .compactionFailed(id)))
                }
            }
        }
    }

    /// What makes the turns shorter, on the threads of whom it belongs to; nil while the app's function has not returned from an
    /// earlier call, or when tools hold all its threads.
    private func compactionWork(
        _ turns: [Turn], _ id: CompactionID
    ) -> (executor: any TaskExecutor, body: @Sendable () async throws -> SessionInput)? {
        guard case .custom(let compact) = config.historyCompaction else {
            let summary = HistorySummary(chat: ports.memory.chat, model: config.compactionModel)
            return (RuntimeThreads.shared, { .historySummarised(id, try await summary.text(of: turns)) })
        }
        let (threads, place) = (ports.appCode, compactionPlace)
        guard place.take(on: threads) else { return nil }
        return (
            threads,
            {
                defer { place.giveBack(on: threads) }
                return .historyCompacted(id, try await compact(turns))
            }
        )
    }

    /// Waits until what was to be remembered at the end is on disk, for a moment.
    func settleMemory() async {
        guard let lastStored else { return }
        let clock = ports.clock
        let limit = clock.now().advanced(by: Self.storeLimit)
        _ = await FirstAnswer<Result<Void, any Error>>.race(
            (RuntimeThreads.shared, { await lastStored.value }), until: limit, clock: clock)
    }

    /// The keeper of what is remembered of this session's user; nil when nothing is.
    static func makeKeeper(_ config: AssistantConfig, _ ports: Ports) -> MemoryKeeper? {
        guard config.persistentMemory, let store = config.memoryStore ?? ports.memory.store else { return nil }
        let events = ports.events
        let log: @Sendable (LogLevel, String, JSONValue?) -> Void = { events.log($0, $1, $2) }
        return MemoryKeeper(
            store: BoundedStore(
                store: store, appCode: config.memoryStore == nil ? nil : ports.appCode, clock: ports.clock, log: log),
            userId: config.memoryUserId, chat: ports.memory.chat, model: config.compactionModel, clock: ports.clock,
            chains: ports.memory.chains, log: log)
    }
}

extension FirstAnswer {
    /// What `work` gives, or `ChatFailure(code: "timeout")` at `limit`, or a cancellation. The work's task is cancelled in both cases, and
    /// nobody waits for its end.
    static func race<Success: Sendable>(
        _ work: (executor: any TaskExecutor, body: @Sendable () async throws -> Success), until limit: MonotonicTime,
        clock: ClockPort
    ) async -> Result<Success, any Error> where Value == Result<Success, any Error> {
        let first = FirstAnswer()
        let task = Task(executorPreference: work.executor) {
            do { first.resolve(.success(try await work.body())) } catch { first.resolve(.failure(error)) }
        }
        let timer = Task(executorPreference: RuntimeThreads.shared) {
            do { try await clock.sleepUntil(limit) } catch { return }  // There is an answer.
            first.resolve(.failure(ChatFailure(code: "timeout")))
        }
        let outcome = await withTaskCancellationHandler {
            await first.value()
        } onCancel: {
            first.resolve(.failure(CancellationError()))
        }
        timer.cancel()
        task.cancel()
        return outcome
    }
}
