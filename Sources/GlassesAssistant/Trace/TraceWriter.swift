import Foundation
import GlassesDomain

/// Writes a session's trace, line by line; where the lines go is its caller's affair.
public struct TraceWriter: Sendable {
    private let privacy: TracePrivacy
    private let configuration: SessionConfiguration
    private var mask: TraceMask
    private var steps: Int64 = 0

    /// A writer for a session of this configuration.
    public init(_ configuration: SessionConfiguration, privacy: TracePrivacy) {
        self.configuration = configuration
        self.privacy = privacy
        mask = TraceMask(configuration, isOn: !privacy.keepsText)
    }

    /// The first line.
    public mutating func header() throws -> String {
        let configuration = try TraceEncoder(writesNil: true).json(of: configuration)
        let header: JSONValue = [
            "trace": .string(SessionTrace.format), "version": .int(SessionTrace.version),
            "text": .bool(privacy.keepsText), "audio": .bool(privacy.keepsAudio),
            "configuration": mask.configuration(configuration),
        ]
        return header.jsonText
    }

    /// The line of a step.
    public mutating func line(for step: TraceStep) throws -> String {
        try line(for: step, audio: step.audio.map(audio))
    }

    /// The line of a step whose audio is told by `audio`.
    mutating func line(for step: TraceStep, audio: JSONValue?) throws -> String {
        steps += 1
        var line: [String: JSONValue] = [
            "at": .int(step.at.nanoseconds), "in": mask.input(try TraceEncoder().json(of: step.input)),
        ]
        if !step.verdicts.isEmpty {
            line["verdicts"] = .array(
                step.verdicts.map {
                    let verdict = mask.verdict($0)
                    return [.string(verdict.question.rawValue), verdict.answer]
                })
        }
        if !step.actions.isEmpty { line["out"] = .array(try mask.actions(step.actions)) }
        line["audio"] = audio
        return JSONValue.object(line).jsonText
    }

    /// The last line.
    public func end(_ end: SessionTrace.End) -> String {
        JSONValue.object(["end": .string(end.rawValue), "steps": .int(steps)]).jsonText
    }

    private func audio(_ samples: [Int16]) -> JSONValue {
        let bytes = samples.flatMap { [UInt8(truncatingIfNeeded: $0), UInt8(truncatingIfNeeded: $0 >> 8)] }
        var audio: [String: JSONValue] = [
            "samples": .int(Int64(samples.count)), "hash": .string(TraceHash.text(of: bytes)),
        ]
        if privacy.keepsAudio { audio["pcm16"] = .string(Data(bytes).base64EncodedString()) }
        return .object(audio)
    }
}

extension TraceMask {
    /// Actions as they stand in a trace.
    mutating func actions(_ actions: SessionActions) throws -> [JSONValue] {
        try actions.map { action(try TraceEncoder().json(of: $0)) }
    }
}
