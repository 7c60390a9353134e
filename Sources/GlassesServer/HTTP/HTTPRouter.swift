import GlassesWebSocket

/// Sends requests to handlers by method and path: 404 for an unknown path, 405 with `Allow` for another method. A GET
/// route answers HEAD too.
public struct HTTPRouter: HTTPHandler {
    /// One method of one path.
    public struct Route: Sendable {
        fileprivate let method: String
        fileprivate let segments: [String]
        fileprivate let handler: any HTTPHandler

        /// A route for `method` (in capitals) and `path`. A segment in braces, as in `/v1/models/{model}`, stands for
        /// any one segment that is not empty and goes to ``HTTPRequest/pathParameters``.
        public init(_ method: String, _ path: String, _ handler: any HTTPHandler) {
            self.method = method
            segments = path.split(separator: "/", omittingEmptySubsequences: false).dropFirst().map(String.init)
            self.handler = handler
        }

        /// The parameters when the path fits; nil when it does not.
        fileprivate func match(_ path: [String]) -> [String: String]? {
            guard path.count == segments.count else { return nil }
            var parameters: [String: String] = [:]
            for (pattern, segment) in zip(segments, path) {
                if pattern.hasPrefix("{") && pattern.hasSuffix("}") {
                    guard !segment.isEmpty else { return nil }
                    parameters[String(pattern.dropFirst().dropLast())] = segment
                } else if pattern != segment {
                    return nil
                }
            }
            return parameters
        }
    }

    private let routes: [Route]

    /// A router of the given routes; the first that fits answers.
    public init(_ routes: [Route]) { self.routes = routes }

    /// Passes the request on, or refuses it.
    public func respond(to request: HTTPRequest, completion: HTTPCompletion) {
        let fitting = routes.compactMap { route in route.match(request.pathSegments).map { (route, $0) } }
        let method = request.method == "HEAD" ? "GET" : request.method
        if let (route, parameters) = fitting.first(where: { $0.0.method == request.method || $0.0.method == method }) {
            var request = request
            request.pathParameters = parameters
            return route.handler.respond(to: request, completion: completion)
        }
        guard !fitting.isEmpty else {
            completion(.error(404, code: "not_found", message: "There is nothing at this path. Check the base URL."))
            return
        }
        let methods = Set(fitting.map(\.0.method))
        let allowed = methods.union(methods.contains("GET") ? ["HEAD"] : []).sorted().joined(separator: ", ")
        completion(
            .error(
                405, code: "method_not_allowed", message: "This path takes \(allowed). Use one of these methods.",
                headers: ["Allow": allowed]))
    }
}
