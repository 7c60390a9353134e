/// What a tool answers; structured data goes as JSON text.
public enum ToolResult: Sendable, Hashable {
    /// It worked: what the model is told.
    case ok(String)
    /// It did not: a sentence by which the model can try again or say why.
    case err(String)
}

/// A function that the assistant can call.
public struct ToolDefinition: Sendable {
    /// The name, 1–64 letters, digits, `_` or `-`, unique in a session.
    public var name: String
    /// What it does, for the model and the rules brain.
    public var description: String
    /// The JSON Schema of the arguments; nil means an object without members.
    public var schema: JSONValue?
    /// The wish that the model waits silently for the result instead of talking on. It is kept, and sent to no provider today: the
    /// realtime protocol has no field for it.
    public var blocking: Bool
    /// How long the body may run, in seconds; nil means the session's `toolTimeout`.
    public var timeout: Double?
    /// How the session treats its calls.
    public var policy: ToolPolicy
    /// Why the tool cannot be registered: its ``ToolParameters`` do not fit the type of its arguments. The session's `start()` throws it.
    public private(set) var registrationError: ToolRegistrationError?
    /// The work. It runs on one of the session's eight tool threads, gets arguments that match the schema, and is cancelled at
    /// its time-out; a body that throws answers with an error.
    public var body: @Sendable (JSONValue) async throws -> ToolResult

    /// A tool.
    public init(
        name: String, description: String, schema: JSONValue? = nil, blocking: Bool = false, timeout: Double? = nil,
        policy: ToolPolicy = .standard, body: @escaping @Sendable (JSONValue) async throws -> ToolResult
    ) {
        self.name = name
        self.description = description
        self.schema = schema
        self.blocking = blocking
        self.timeout = timeout
        self.policy = policy
        self.body = body
    }

    /// A tool whose arguments are decoded as `Args`; arguments that do not decode answer with an error that names the field, so that
    /// the model can try again. `JSONValue` as `Args` gives the arguments as they are.
    public init<Args: Codable & Sendable>(
        name: String, description: String, schema: JSONValue, blocking: Bool = false, timeout: Double? = nil,
        policy: ToolPolicy = .standard, body: @escaping @Sendable (Args) async throws -> ToolResult
    ) {
        // Optional, since otherwise this initialiser would call itself.
        self.init(
            name: name, description: description, schema: Optional(schema), blocking: blocking, timeout: timeout,
            policy: policy
        ) { (arguments: JSONValue) in
            let decoded: Args
            do {
                decoded = try arguments.decode(as: Args.self)
            } catch {
                return .err("The arguments of \(name) are wrong: \(ArgumentFault(error).sentence)")
            }
            return try await body(decoded)
        }
    }

    /// A tool whose schema is written by `parameters` and whose arguments are decoded as `Args`.
    ///
    /// The description is held against the type here: arguments at the bounds of what it allows are decoded as `Args` and encoded
    /// again. What does not fit becomes ``registrationError``.
    public init<Args: Codable & Sendable>(
        name: String, description: String, parameters: ToolParameters, blocking: Bool = false, timeout: Double? = nil,
        policy: ToolPolicy = .standard, body: @escaping @Sendable (Args) async throws -> ToolResult
    ) {
        self.init(
            name: name, description: description, schema: parameters.schema, blocking: blocking, timeout: timeout,
            policy: policy, body: body)
        registrationError = ToolParameterCheck.problem(with: parameters, for: Args.self).map {
            ToolRegistrationError(toolName: name, code: "parameters_mismatch", detail: $0)
        }
    }
}

/// The error with which ``ExtentosResult/orToolError()`` ends a tool body; the runtime turns it into `.err(message)`.
public struct ToolError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The sentence that the model reads.
    public let message: String

    /// An error with a sentence.
    public init(_ message: String) { self.message = message }

    /// The sentence.
    public var description: String { message }
}

extension ExtentosResult where Failure == CaptureError {
    /// The value, or in a tool body the end of the call with the sentence of the capture error.
    public func orToolError() throws -> Success {
        switch self {
        case .success(let value): return value
        case .failure(let error): throw ToolError(captureErrorMessage(error: error))
        }
    }
}
