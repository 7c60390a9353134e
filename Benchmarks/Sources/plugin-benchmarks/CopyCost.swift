import GlassesDomain

/// What one copy of a frame costs here, to hold the host's CPU against.
enum CopyCost {
    private static let rounds = 300

    /// The CPU time of copying so many bytes into new memory, in microseconds.
    static func measure(bytes: Int) -> Double {
        let source = [UInt8](repeating: 7, count: bytes)
        var sum = 0
        let before = MonotonicClock.ownCPU()
        for round in 0..<rounds {
            let copy = source.withUnsafeBufferPointer { Array($0) }
            // Used, so that it is made.
            sum += Int(copy[round])
        }
        let spent = MonotonicClock.ownCPU() - before
        return sum > 0 ? spent / Double(rounds) * 1e6 : 0
    }

    /// The CPU time of adding up so many bytes, which the consumer does with each frame, in microseconds.
    static func measureSum(bytes: Int) -> Double {
        let frame = CameraFrame(
            bytes: [UInt8](repeating: 7, count: bytes), format: .i420, width: 0, height: 0, rotation: 0, planes: [],
            time: MonotonicTime(nanoseconds: 0), number: 0)
        var count = 0
        let before = MonotonicClock.ownCPU()
        for _ in 0..<rounds where !Delivery(frame).isRight { count += 1 }
        let spent = MonotonicClock.ownCPU() - before
        return count > 0 ? spent / Double(count) * 1e6 : 0
    }
}
