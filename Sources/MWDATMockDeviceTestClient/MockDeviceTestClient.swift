import Foundation
import GlassesDomain
import Synchronization

/// Scripts the mock device kit of another process over its test server.
///
/// Made for test processes that do not link the kit. Every call waits for its answer, 10 s at most, and blocks its thread meanwhile; it
/// answers false or nil when it failed, and ``lastFailure`` tells why. Any thread.
public final class MockDeviceTestClient: Sendable {
    private let server: TestServerConnection
    private let failure = Mutex<MockDeviceTestClientError?>(nil)

    /// A client of the server whose port is told in this file. The file is read for each call, so the server may start later.
    public init(portFilePath: String) { server = TestServerConnection(portFile: portFilePath) }

    /// Why the last call failed; nil when it did not.
    public var lastFailure: MockDeviceTestClientError? { failure.withLock { $0 } }

    // MARK: Devices

    /// Pairs Ray-Ban Meta glasses, switches them on and puts them on. Answers their identifier.
    @discardableResult
    public func pairDevice() -> String? { post("/device/pair", [:])?["deviceId"]?.stringValue }

    /// Unpairs glasses.
    @discardableResult
    public func unpairDevice(deviceId: String) -> Bool { operate("/device/unpair", deviceId) }

    /// Switches glasses on.
    @discardableResult
    public func powerOn(deviceId: String) -> Bool { operate("/device/power-on", deviceId) }

    /// Switches glasses off.
    @discardableResult
    public func powerOff(deviceId: String) -> Bool { operate("/device/power-off", deviceId) }

    /// Puts glasses on.
    @discardableResult
    public func don(deviceId: String) -> Bool { operate("/device/don", deviceId) }

    /// Takes glasses off.
    @discardableResult
    public func doff(deviceId: String) -> Bool { operate("/device/doff", deviceId) }

    /// Folds glasses.
    @discardableResult
    public func fold(deviceId: String) -> Bool { operate("/device/fold", deviceId) }

    /// Unfolds glasses.
    @discardableResult
    public func unfold(deviceId: String) -> Bool { operate("/device/unfold", deviceId) }

    /// Taps the touch pad.
    @discardableResult
    public func captouchTap(deviceId: String) -> Bool { operate("/captouch/tap", deviceId) }

    /// Holds the touch pad.
    @discardableResult
    public func captouchTapAndHold(deviceId: String) -> Bool { operate("/captouch/tap-and-hold", deviceId) }

    // MARK: Camera

    /// Shows a resource of the app's bundle, or a file beside its executable.
    @discardableResult
    public func setCameraFeed(deviceId: String, resourceName: String, ext: String) -> Bool {
        operate("/camera/set-feed", deviceId, ["resourceName": .string(resourceName), "ext": .string(ext)])
    }

    /// Lets photos be a resource of the app's bundle, or a file beside its executable.
    @discardableResult
    public func setCapturedImage(deviceId: String, resourceName: String, ext: String) -> Bool {
        operate("/camera/set-captured-image", deviceId, ["resourceName": .string(resourceName), "ext": .string(ext)])
    }

    // MARK: Voice

    /// Would launch the app by voice. Voice invocations are not simulated: it fails, and says so.
    @discardableResult
    public func sendLaunchAppAction(deviceId: String) -> Bool { operate("/voice/launch-app-action", deviceId) }

    /// Would send a voice invocation that lacks something. Voice invocations are not simulated: it fails, and says so.
    @discardableResult
    public func sendIncompleteAction(deviceId: String) -> Bool { operate("/voice/incomplete-action", deviceId) }

    // MARK: The server

    /// The kit's state, with `pairedDeviceCount` and `deviceIds`; nil when it cannot be had.
    public func getDeviceState() -> [String: Any]? {
        noted(server.requestAndWait("GET", "/device/state")).flatMap { $0.foundationObject as? [String: Any] }
    }

    /// Whether the server answers.
    public func healthCheck() -> Bool { noted(server.requestAndWait("GET", "/health")) != nil }

    /// Waits until the server answers, `timeout` seconds at most; false when it does not.
    @discardableResult
    public func waitForServer(timeout: TimeInterval = 10) -> Bool {
        let deadline = ContinuousClock.now.advanced(by: .seconds(max(0, min(timeout, 86_400))))
        while !healthCheck() {
            guard ContinuousClock.now < deadline else { return false }
            Thread.sleep(forTimeInterval: 0.05)
        }
        return true
    }

    // MARK: Requests

    private func operate(_ path: String, _ device: String, _ more: [String: JSONValue] = [:]) -> Bool {
        post(path, more.merging(["deviceId": .string(device)]) { _, new in new }) != nil
    }

    private func post(_ path: String, _ body: [String: JSONValue]) -> JSONValue? {
        noted(server.requestAndWait("POST", path, body: .object(body)))
    }

    private func noted(_ result: Result<JSONValue, MockDeviceTestClientError>) -> JSONValue? {
        switch result {
        case .success(let answer):
            failure.withLock { $0 = nil }
            return answer
        case .failure(let error):
            failure.withLock { $0 = error }
            return nil
        }
    }
}

extension JSONValue {
    /// The value as Foundation's JSON has it.
    fileprivate var foundationObject: Any {
        switch self {
        case .object(let members): members.mapValues(\.foundationObject)
        case .array(let elements): elements.map(\.foundationObject)
        case .string(let text): text
        case .int(let number): Int(number)
        case .double(let number): number
        case .bool(let flag): flag
        case .null: NSNull()
        }
    }
}
