import Glibc
import MWDATCore

/// Calls a phone that listens for plain TCP.
final class TCPDialler: BridgeDialler {
    /// How long a call may take.
    private static let patience = Duration.seconds(10)

    private let address: NumericAddress
    private let waker: SocketWaker

    init(_ address: NumericAddress) throws(DATBridgeError) {
        guard let waker = SocketWaker() else {
            throw DATBridgeError("address", "This process has no descriptor left. Close something.")
        }
        self.address = address
        self.waker = waker
    }

    func interrupt() { waker.wake() }

    func dial() -> LinkWireResult {
        guard let descriptor = address.beginConnecting() else { return .failed(refusal) }
        switch waker.waits(forWriting: descriptor, within: Self.patience) {
        case nil:
            close(descriptor)
            return .interrupted
        case false?:
            close(descriptor)
            return .failed(refusal)
        case true?:
            var failure: Int32 = 0
            var length = socklen_t(MemoryLayout.size(ofValue: failure))
            guard getsockopt(descriptor, SOL_SOCKET, SO_ERROR, &failure, &length) == 0, failure == 0 else {
                close(descriptor)
                return .failed(refusal)
            }
            NumericAddress.tune(descriptor)
            guard let wire = SocketWire(descriptor: descriptor) else { return .failed(refusal) }
            return .connected(wire, heartbeat: nil)
        }
    }

    private var refusal: Refusal {
        Refusal(
            .link,
            "The phone does not answer at \(address.text(port: address.port)). Open its app, and check the address.",
            isRetryable: true)
    }
}
