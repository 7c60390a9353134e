import Foundation

/// Why the test server did not do what was asked.
public struct MockDeviceTestClientError: Error, Sendable, Hashable, LocalizedError {
    /// The machine-readable reason: `no_server` when none answers, else the server's, such as `no_device`.
    public let code: String
    /// A sentence for a person, with the next step.
    public let message: String

    /// An error with the given reason.
    public init(code: String, message: String) {
        self.code = code
        self.message = message
    }

    /// The sentence.
    public var errorDescription: String? { message }
}

extension MockDeviceTestClientError {
    static func noServer(_ portFile: String) -> MockDeviceTestClientError {
        MockDeviceTestClientError(
            code: "no_server",
            message: "No test server is told of by \(portFile). Start the app, and in it MockDeviceKit.shared."
                + "startTestServer(portFilePath:).")
    }

    static let silent = MockDeviceTestClientError(
        code: "no_server", message: "The app's test server does not answer. Start the app again.")
    static let unreadable = MockDeviceTestClientError(
        code: "bad_answer", message: "The app's test server gave no JSON. Use the same version in both programs.")
}
