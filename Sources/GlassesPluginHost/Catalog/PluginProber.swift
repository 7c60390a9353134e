import GlassesDomain

/// Answers whether a library is a plugin, from memory or from one probe child per state of the file.
actor PluginProber {
    private let memory: ProbeMemory
    private let child: ProbeChild?
    private let executor: (any TaskExecutor)?
    private var running: [ProbeKey: Task<Result<[String], PluginRefusal>, Never>] = [:]
    private(set) var startedProbes = 0

    /// `program` nil means that there is no probe program: then nothing unknown is loaded.
    init(memory: ProbeMemory, program: String?, limit: Duration, executor: (any TaskExecutor)? = nil) {
        self.memory = memory
        self.executor = executor
        child = program.map { ProbeChild(program: $0, limit: limit) }
    }

    /// The factories of the library, or why it is refused. Scans that ask at the same time share one child.
    func factories(of library: String, file: PluginFile) async -> Result<[String], PluginRefusal> {
        let key = ProbeKey(path: library, file: file)
        switch memory[key] {
        case .good(let factories): return .success(factories)
        case .bad(let code, let message): return .failure(.remembered(code: code, message: message))
        case nil: break
        }
        if let task = running[key] { return await task.value }
        guard let child else { return .failure(.probe(.probeMissing)) }
        startedProbes += 1
        let task = Task(executorPreference: executor) { [memory] in Self.judge(await child.run(library), key, memory) }
        running[key] = task
        let verdict = await task.value
        running[key] = nil
        return verdict
    }

    private static func judge(
        _ outcome: Result<ProbeReport, PluginProbeError>, _ key: ProbeKey, _ memory: ProbeMemory
    ) -> Result<[String], PluginRefusal> {
        switch outcome {
        case .success(let report):
            memory.add(.good(factories: report.factories), for: key)
            return .success(report.factories)
        case .failure(let error):
            if error.isLibrarysFault { memory.add(.bad(code: error.code, message: error.description), for: key) }
            return .failure(.probe(error))
        }
    }
}
