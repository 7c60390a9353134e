import GlassesDomain
import GlassesWebSocket

/// Frames decoded and encoded against `memcpy` of the same bytes, in one run.
enum WebSocketFrames: Benchmark {
    static let name = "websocket"
    static let summary = "frames decoded and encoded against memcpy of the same bytes"

    /// What a loop reads at once.
    private static let chunk = 64 << 10

    static func run() -> [Figure] {
        [100, 16_384].flatMap { size -> [Figure] in
            // One read's worth of frames, so that all sizes are measured with the same cache footprint.
            let count = max(1, chunk / (size + 8))
            let body = (0..<size).map { UInt8(truncatingIfNeeded: 0x20 + $0 % 64) }
            let copy = memcpy(body, count: count)
            var figures = [Figure(name: "memcpy \(size) B", value: copy, unit: "ns")]
            for (form, role, message) in forms(body) {
                let decoded = decode(message, from: role, count: count)
                let encoded = encode(message, as: role, count: count)
                figures += [
                    Figure(name: "decode \(size) B \(form)", value: decoded, unit: "ns"),
                    Figure(name: "decode \(size) B \(form) / memcpy", value: decoded / copy, unit: "ratio"),
                    Figure(name: "encode \(size) B \(form)", value: encoded, unit: "ns"),
                    Figure(name: "encode \(size) B \(form) / memcpy", value: encoded / copy, unit: "ratio"),
                ]
            }
            return figures
        }
    }

    private static func forms(_ body: [UInt8]) -> [(String, WebSocketRole, RealtimeMessage)] {
        [
            ("binary masked", .client, .binary(body)), ("binary unmasked", .server, .binary(body)),
            ("text masked", .client, .text(body)), ("text unmasked", .server, .text(body)),
        ]
    }

    /// Nanoseconds to copy one body, each to a place of its own as in a buffer of frames.
    private static func memcpy(_ body: [UInt8], count: Int) -> Double {
        var target = [UInt8](repeating: 0, count: body.count * count)
        let source = (0..<count).flatMap { _ in body }
        return Stopwatch.nanoseconds {
            target.withUnsafeMutableBytes { to in
                source.withUnsafeBytes { from in
                    for start in stride(from: 0, to: from.count, by: body.count) {
                        UnsafeMutableRawBufferPointer(rebasing: to[start..<start + body.count])
                            .copyMemory(from: UnsafeRawBufferPointer(rebasing: from[start..<start + body.count]))
                    }
                }
            }
            use(target)
        } / Double(count)
    }

    /// Nanoseconds for one of `count` messages that `sender` wrote and that arrive in one read.
    private static func decode(_ message: RealtimeMessage, from sender: WebSocketRole, count: Int) -> Double {
        var stream: [UInt8] = []
        let encoder = WebSocketEncoder(role: sender)
        for index in 0..<count { encoder.append(message, mask: 0x9E37_79B9 &* UInt32(index + 1), to: &stream) }
        var decoder = WebSocketDecoder(role: sender == .client ? .server : .client, maximumMessage: 1 << 20)
        var events: [WebSocketEvent] = []
        var failures = 0
        let time = Stopwatch.nanoseconds {
            events.removeAll(keepingCapacity: true)
            do throws(WebSocketFailure) { try decoder.decode(stream, into: &events) } catch { failures += 1 }
            use(events)
        }
        precondition(failures == 0 && events == Array(repeating: .message(message), count: count))
        return time / Double(count)
    }

    /// Nanoseconds for one of `count` messages written to one buffer.
    private static func encode(_ message: RealtimeMessage, as role: WebSocketRole, count: Int) -> Double {
        let encoder = WebSocketEncoder(role: role)
        var output: [UInt8] = []
        return Stopwatch.nanoseconds {
            output.removeAll(keepingCapacity: true)
            for index in 0..<count { encoder.append(message, mask: 0x9E37_79B9 &* UInt32(index + 1), to: &output) }
            use(output)
        } / Double(count)
    }
}
