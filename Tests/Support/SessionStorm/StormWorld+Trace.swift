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
}
