import GlassesAssistant

extension StormWorld {
    /// The conversation so far as a trace file; empty when it was not traced.
    public func traceFile(_ privacy: TracePrivacy) throws -> [UInt8] {
        guard let trace else { return [] }
        var writer = TraceWriter(machine.configuration, privacy: privacy)
        var lines = [try writer.header()]
        for step in trace { lines.append(try writer.line(for: step)) }
        lines.append(writer.end(.complete))
        return Array((lines.joined(separator: "\n") + "\n").utf8)
    }

    /// Why a conversation's trace, with its texts or without, does not replay to the same; nil when it does.
    public static func replayProblem(seed: UInt64) -> String? {
        let world = StormWorld(seed: seed, isTraced: true)
        world.run()
        for keepsText in [true, false] {
            var privacy = TracePrivacy()
            privacy.keepsText = keepsText
            do {
                let trace = try SessionTrace(file: world.traceFile(privacy))
                guard trace.steps.count == world.steps else { return "it has \(trace.steps.count) steps" }
                if let difference = try TraceReplay.firstDifference(in: trace) { return difference.description }
            } catch {
                return String(describing: error)
            }
        }
        return nil
    }
}
