import GlassesDomain

/// One stream of the benchmark device, with what is checked of everything that it delivers.
enum BenchStream: CaseIterable {
    case microphone, camera30, camera500

    var name: String {
        switch self {
        case .microphone: "20 ms PCM"
        case .camera30: "720x1280 I420, 30 fps"
        case .camera500: "720x1280 I420, 500 fps"
        }
    }

    private var mode: CameraMode? {
        switch self {
        case .microphone: nil
        case .camera30: CameraMode(format: .i420, width: 720, height: 1_280, frameRate: 30)
        case .camera500: CameraMode(format: .i420, width: 720, height: 1_280, frameRate: 500)
        }
    }

    /// Opens it; each delivery comes with the moment at which the plugin handed it over and whether its sum is right.
    func open(
        _ transport: any GlassesTransport, _ deliver: @escaping @Sendable (Delivery) -> Void
    ) async -> Bool {
        guard let mode else {
            return await transport.microphone?.open { deliver(Delivery($0)) }.failure == nil
        }
        return await transport.camera?.open(mode, onFrame: { deliver(Delivery($0)) }, onChange: { _ in }).failure == nil
    }
}

/// A block or a frame that has arrived.
struct Delivery {
    let handedOver: Int64
    let arrived: Int64
    let isRight: Bool

    /// The block begins with the moment and the sum.
    init(_ block: PCMBlock) {
        arrived = MonotonicClock.now()
        (handedOver, isRight) = block.samples.withUnsafeBytes { bytes in
            guard bytes.count % 8 == 0, bytes.count > 16 else { return (0, false) }
            let words = bytes.assumingMemoryBound(to: UInt64.self)
            return (Int64(bitPattern: words[0]), words.dropFirst(2).reduce(0, &+) == words[1])
        }
    }

    /// The frame ends with the sum.
    init(_ frame: CameraFrame) {
        arrived = MonotonicClock.now()
        handedOver = frame.time.nanoseconds
        isRight = frame.bytes.withUnsafeBytes { bytes in
            guard bytes.count % 8 == 0, bytes.count > 8 else { return false }
            let words = bytes.assumingMemoryBound(to: UInt64.self)
            return words.dropLast().reduce(0, &+) == words[words.count - 1]
        }
    }
}
