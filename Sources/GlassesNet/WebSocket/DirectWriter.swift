import GlassesDomain
import GlassesWebSocket
import Glibc

/// The short way to a plain socket: whoever sends writes at once, without waking the network thread.
///
/// Kept behind the lock of its channel. Under TLS there is no such way, since the network thread owns libcurl's handle; a
/// socket may be written to by anybody.
struct DirectWriter {
    /// Messages beyond this are rare, and their memory is not kept.
    private static let keptCapacity = 16 << 10

    private let socket: Int32?
    private var generator = MaskGenerator()
    private var output: [UInt8] = []
    /// What the kernel did not take.
    private var rest: [UInt8] = []
    /// Whether the network thread has bytes under way, which nothing may overtake.
    private var isLoopWriting = false

    /// A way to `socket`; nil for a connection to which only the network thread writes.
    init(socket: Int32?) { self.socket = socket }

    /// Writes what waits in `endpoint`, as far as the kernel takes it. False when something is left to the network thread: bytes, or
    /// news for the receiver. An error is left to it too: its next attempt meets the same one.
    ///
    /// A finished endpoint hands out nothing, so that a socket that was closed is never written to.
    mutating func write(_ endpoint: inout WebSocketEndpoint) -> Bool {
        guard let socket, !isLoopWriting, rest.isEmpty else { return false }
        endpoint.fillOutput(&output, using: &generator)
        if !output.isEmpty {
            let count = Glibc.send(socket, output, output.count, Int32(MSG_DONTWAIT) | Int32(MSG_NOSIGNAL))
            let taken = max(0, count)
            if taken < output.count { rest = Array(output[taken...]) }
            endpoint.wrote(taken, at: .now)
            output.removeAll(keepingCapacity: output.count <= Self.keptCapacity)
        }
        return !endpoint.wantsWrite && !endpoint.hasNotices
    }

    /// Hands the network thread what it has to write next; nothing when nothing waits.
    mutating func fill(
        _ output: inout [UInt8], from endpoint: inout WebSocketEndpoint, using generator: inout MaskGenerator
    ) {
        if rest.isEmpty {
            endpoint.fillOutput(&output, using: &generator)
        } else {
            output += rest
            rest = []
        }
        isLoopWriting = !output.isEmpty
    }
}
