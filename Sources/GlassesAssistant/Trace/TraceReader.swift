import GlassesDomain

/// Why a file is no trace that can be replayed.
public struct TraceError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The machine code: `not_a_trace`, `newer_version`, `damaged_line` or `steps_missing`.
    public let code: String
    /// The line, counted from 1.
    public let line: Int
    /// What is wrong with it, and what to do; never quotes the file.
    public let message: String

    /// The sentence with the line.
    public var description: String { "line \(line): \(message)" }
}

/// Reads the lines of a trace.
enum TraceReader {
    static func trace(of text: [UInt8]) throws(TraceError) -> SessionTrace {
        var lines = text.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        // A file that ends with its last line's end has nothing behind it.
        let endsWhole = lines.last?.isEmpty == true
        if endsWhole { lines.removeLast() }
        guard let first = lines.first, let header = json(first) else { throw notATrace }
        let (privacy, configuration) = try head(header)
        var steps: [SessionTrace.Step] = []
        var end: SessionTrace.End?
        for (index, bytes) in lines.enumerated().dropFirst() {
            let number = index + 1
            guard end == nil else { throw damaged(number, "it stands behind the end of the trace") }
            guard let line = json(bytes) else {
                guard !endsWhole, number == lines.count else { throw damaged(number, "it is no JSON") }
                return SessionTrace(
                    privacy: privacy, configuration: configuration, steps: steps, end: nil, cutOffLine: number)
            }
            if let name = line["end"]?.stringValue {
                end = try ending(name, line, steps.count, number)
            } else {
                steps.append(try step(line, number))
            }
        }
        return SessionTrace(privacy: privacy, configuration: configuration, steps: steps, end: end, cutOffLine: nil)
    }

    private static func json(_ bytes: some Collection<UInt8>) -> JSONValue? {
        do { return try JSONValue(jsonText: bytes) } catch { return nil }
    }

    private static let notATrace = TraceError(
        code: "not_a_trace", line: 1, message: "it does not begin a trace. Make one with glasses talk --trace FILE.")

    private static func damaged(_ line: Int, _ what: String) -> TraceError {
        TraceError(code: "damaged_line", line: line, message: "\(what). The file was changed or is incomplete.")
    }

    private static func head(_ json: JSONValue) throws(TraceError) -> (TracePrivacy, SessionConfiguration) {
        guard json["trace"]?.stringValue == SessionTrace.format, let version = json["version"]?.intValue else {
            throw notATrace
        }
        guard version <= SessionTrace.version else {
            throw TraceError(
                code: "newer_version", line: 1,
                message: "the trace has version \(version); this program reads \(SessionTrace.version). Update it.")
        }
        var privacy = TracePrivacy()
        privacy.keepsText = json["text"]?.boolValue ?? false
        privacy.keepsAudio = json["audio"]?.boolValue ?? false
        do {
            return (privacy, try SessionConfiguration(traced: json["configuration"] ?? .null))
        } catch {
            throw damaged(1, "its configuration cannot be read (\(reason(error)))")
        }
    }

    private static func step(_ json: JSONValue, _ number: Int) throws(TraceError) -> SessionTrace.Step {
        guard let nanoseconds = json["at"]?.intValue, let input = json["in"] else {
            throw damaged(number, "it is no step")
        }
        do {
            return SessionTrace.Step(
                line: number, at: MonotonicTime(nanoseconds: nanoseconds),
                input: try TraceDecoder.value(SessionInput.self, of: input), inputJSON: input,
                verdicts: try verdicts(json["verdicts"], number), actions: json["out"]?.arrayValue ?? [],
                audio: json["audio"])
        } catch let error as TraceError {
            throw error
        } catch {
            throw damaged(number, "its input cannot be read (\(reason(error)))")
        }
    }

    private static func verdicts(_ json: JSONValue?, _ number: Int) throws(TraceError) -> [TextVerdict] {
        var verdicts: [TextVerdict] = []
        for pair in json?.arrayValue ?? [] {
            guard let parts = pair.arrayValue, parts.count == 2, let name = parts[0].stringValue,
                let question = TextVerdict.Question(rawValue: name)
            else { throw damaged(number, "it holds a verdict that this program does not know") }
            verdicts.append(TextVerdict(question, parts[1]))
        }
        return verdicts
    }

    private static func ending(
        _ name: String, _ json: JSONValue, _ steps: Int, _ number: Int
    ) throws(TraceError) -> SessionTrace.End {
        guard let end = SessionTrace.End(rawValue: name) else { throw damaged(number, "it is no end of a trace") }
        guard json["steps"]?.intValue == Int64(steps) else {
            throw TraceError(
                code: "steps_missing", line: number,
                message: "the trace should have \(json["steps"]?.intValue ?? 0) steps and has \(steps). "
                    + "The file was changed or is incomplete.")
        }
        return end
    }

    /// What a decoder stumbled over, by the names of members only.
    private static func reason(_ error: any Error) -> String {
        switch error {
        case DecodingError.keyNotFound(let key, let context): "\(path(context, key)) is missing"
        case DecodingError.typeMismatch(_, let context), DecodingError.valueNotFound(_, let context),
            DecodingError.dataCorrupted(let context):
            "\(path(context, nil)): \(context.debugDescription)"
        default: "unreadable"
        }
    }

    private static func path(_ context: DecodingError.Context, _ key: (any CodingKey)?) -> String {
        let names = (context.codingPath + [key].compactMap { $0 }).map(\.stringValue)
        return names.isEmpty ? "the value" : names.joined(separator: ".")
    }
}

extension SessionTrace {
    /// Reads the bytes of a trace file; throws ``TraceError``.
    public init(file: [UInt8]) throws(TraceError) { self = try TraceReader.trace(of: file) }
}

extension SessionConfiguration {
    /// The configuration in a trace; what an older one does not have is as by default.
    fileprivate init(traced json: JSONValue) throws {
        let encoder = TraceEncoder(writesNil: true)
        var members = try encoder.json(of: SessionConfiguration()).objectValue ?? [:]
        members.merge(json.objectValue ?? [:]) { $1 }
        let tool = try encoder.json(of: ToolFacts(name: "", schema: [:]))
        members["tools"] = .array((members["tools"]?.arrayValue ?? []).map { Self.merged(tool, $0) })
        self = try TraceDecoder.value(SessionConfiguration.self, of: .object(members))
        historyCap = max(1, min(historyCap, Self.mostTurns))
        outputRate = max(1, min(outputRate, Self.highestRate))
    }

    /// What no session has; a file that somebody changed may say anything.
    private static let mostTurns = 1_000_000
    private static let highestRate = 1_000_000

    private static func merged(_ standard: JSONValue, _ json: JSONValue) -> JSONValue {
        // One member alone is the case of an enumeration.
        guard case .object(let members) = json, case .object(let known) = standard, known.count > 1 else { return json }
        return .object(known.merging(members) { merged($0, $1) })
    }
}
