import Dispatch
import Foundation
import GlassesDomain
import GlassesNet
import GlassesWebSocket
import MWDATCore
import Synchronization

/// Calls a phone that serves a WebSocket.
final class WebSocketDialler: BridgeDialler {
    private struct State {
        var opening: WebSocketOpening?
        var isInterrupted = false
    }

    /// Beyond the opening's own limit of time: it answers within that.
    private static let patience = DispatchTimeInterval.seconds(15)
    /// A message of ours in one piece: prefix, header and payload.
    private static let largestMessage = 17 << 20

    private let url: URL
    private let settings: NetworkSettings
    private let state = Mutex(State())

    init(url: URL, caFile: String?) throws(DATBridgeError) {
        guard let scheme = url.scheme?.lowercased(), ["ws", "wss"].contains(scheme), url.host != nil else {
            throw DATBridgeError(
                "url", "A phone is called by a ws:// or wss:// URL, such as wss://192.168.1.7:7420/dat-bridge.")
        }
        self.url = url
        settings = NetworkSettings(caFile: caFile, proxy: .none)
    }

    func interrupt() {
        state.withLock { state in
            state.isInterrupted = true
            return state.opening
        }?.cancel()
    }

    func dial() -> LinkWireResult {
        let wire = WebSocketWire()
        let answer = PendingAnswer()
        var limits = WebSocketLimits.client
        limits.inboundMessage = Self.largestMessage
        limits.highWater = WebSocketWire.outboundHighWater
        let request = WebSocketRequest(
            url: url, subprotocols: [WebSocketListener.subprotocol], settings: settings, limits: limits)
        let opening = WebSocketClient.open(request, receiver: wire) { result in
            switch result {
            case .success(let opened):
                wire.attach(opened.channel)
                answer.give(nil)
            case .failure(let failure): answer.give(failure.closure.message)
            }
        }
        let isInterrupted = state.withLock { state in
            state.opening = opening
            return state.isInterrupted
        }
        if isInterrupted { opening.cancel() }
        let failure = answer.wait(within: Self.patience)
        if state.withLock({ $0.isInterrupted }) {
            wire.finish(within: .zero)
            return .interrupted
        }
        if let failure {
            return .failed(Refusal(.link, "The phone cannot be called. \(failure)", isRetryable: true))
        }
        return .connected(wire, heartbeat: nil)
    }
}

/// The outcome of an opening: nil for an open socket, or a sentence.
private final class PendingAnswer: Sendable {
    private let given = Mutex<String??>(nil)
    private let signal = DispatchSemaphore(value: 0)

    func give(_ failure: String?) {
        given.withLock { $0 = .some(failure) }
        signal.signal()
    }

    func wait(within bound: DispatchTimeInterval) -> String? {
        _ = signal.wait(timeout: .now() + bound)
        return given.withLock { $0 } ?? "It did not answer in time."
    }
}
