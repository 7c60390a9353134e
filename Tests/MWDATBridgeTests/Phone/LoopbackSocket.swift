import Foundation
import Glibc

@testable import DATBridgePhone
@testable import MWDATBridge

/// The phone app's connection over TCP, on Linux.
final class LoopbackSocket: BridgeSocket {
    private let descriptor: Int32

    init(_ address: String) throws {
        guard let descriptor = try NumericAddress(address).beginConnecting() else { throw POSIXError(.ECONNREFUSED) }
        self.descriptor = descriptor
        _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL, 0) & ~O_NONBLOCK)
    }

    deinit { Glibc.close(descriptor) }

    func send(_ bytes: Data) async throws {
        let isSent = await onThread { [descriptor] in
            var rest = Array(bytes)[...]
            while !rest.isEmpty {
                let count = rest.withUnsafeBytes {
                    Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
                }
                guard count > 0 else { return false }
                rest = rest.dropFirst(count)
            }
            return true
        }
        if !isSent { throw POSIXError(.EPIPE) }
    }

    func receive() async throws -> Data? {
        await onThread { [descriptor] in
            var bytes = [UInt8](repeating: 0, count: 1 << 16)
            let count = recv(descriptor, &bytes, bytes.count, 0)
            return count > 0 ? Data(bytes.prefix(count)) : nil
        }
    }

    func close() { shutdown(descriptor, Int32(SHUT_RDWR)) }
}

extension BridgeHash {
    /// The same functions as the phone's system has.
    static let linux = BridgeHash(
        hmac: { message, key in Data(MessageAuthentication.hmac(message, key: Array(key))) },
        derive: { password, salt, rounds in
            Data(MessageAuthentication.derive(password: Array(password), salt: Array(salt), rounds: rounds))
        })
}
