/// What a server asks for its answers.
public protocol HTTPHandler: Sendable {
    /// Starts to answer and calls `completion` once, now or later, on any thread.
    ///
    /// Called on a thread of the server's own pool for every request that passed its rules; unlike the network's
    /// threads it may block for a while. After ``ServerLimits/answerTime`` the client gets 504 and a later answer is
    /// discarded.
    func respond(to request: HTTPRequest, completion: HTTPCompletion)
}

/// The one place for the answer to one request.
public struct HTTPCompletion: Sendable {
    let exchange: Exchange

    /// Answers; false when the request has ended already, and then the answer is discarded.
    @discardableResult
    public func callAsFunction(_ answer: HTTPAnswer) -> Bool { exchange.answer(answer) }

    /// Answers with a plain response; as ``callAsFunction(_:)``.
    @discardableResult
    public func callAsFunction(_ response: HTTPResponse) -> Bool { exchange.answer(.response(response)) }

    /// Calls `action` once when the request ends without the handler's answer: its time is up, the peer has left (which is
    /// noticed within a second), or the server stops. It is called at once when that has happened already, and never after an answer was taken.
    public func whenAbandoned(_ action: @escaping @Sendable () -> Void) { exchange.whenAbandoned(action) }
}

/// A handler made of an asynchronous function; its task ends up cancelled when the request ends without its answer.
public struct AsyncHTTPHandler: HTTPHandler {
    private let function: @Sendable (HTTPRequest) async -> HTTPAnswer

    /// A handler that calls `function`, on threads of the server rather than of Swift's shared pool.
    public init(_ function: @escaping @Sendable (HTTPRequest) async -> HTTPAnswer) { self.function = function }

    /// Starts the function.
    public func respond(to request: HTTPRequest, completion: HTTPCompletion) {
        let task = Task(executorPreference: HandlerThreads.shared) { completion(await function(request)) }
        completion.whenAbandoned { task.cancel() }
    }
}
