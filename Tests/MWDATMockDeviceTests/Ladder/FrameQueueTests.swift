import Foundation
import GlassesDomain
import MWDATCore
import Testing

@testable import MWDATMockDevice

@Suite("Pictures on a slow link")
struct FrameQueueTests {
    private static func frame(_ number: UInt64, coding: LinkCoding = .i420, isKey: Bool = true) -> LinkFrame {
        LinkFrame(
            coding: coding, width: 100, height: 100, time: number, isKeyFrame: isKey,
            bytes: Data(count: coding == .hvc1 ? 125 : 1))
    }

    /// At 1,000 bits a second a picture of 100 by 100 takes a second.
    private static let rate = 1_000

    private static func time(_ seconds: Int) -> MonotonicTime { MonotonicTime.zero.advanced(by: .seconds(seconds)) }

    @Test("The oldest waiting picture gives way, so that the delay stays bounded")
    func dropsOldest() {
        var queue = FrameQueue()
        for number in 0..<6 { #expect(queue.push(Self.frame(UInt64(number)), rate: Self.rate, at: .zero).isEmpty) }
        #expect(queue.dropped == 3)
        #expect(queue.arrivals(rate: Self.rate, at: Self.time(10)).map(\.time) == [0, 4, 5])
        #expect(queue.nextArrival == nil)
    }

    @Test("Each picture takes its time, one after the other")
    func timing() {
        var queue = FrameQueue()
        for number in 0..<3 { _ = queue.push(Self.frame(UInt64(number)), rate: Self.rate, at: .zero) }
        #expect(queue.arrivals(rate: Self.rate, at: Self.time(1)).map(\.time) == [0])
        #expect(queue.nextArrival == Self.time(2))
        #expect(queue.arrivals(rate: Self.rate, at: Self.time(3)).map(\.time) == [1, 2])
    }

    @Test("Without a limit pictures arrive at once, after those that were under way")
    func unlimited() {
        var queue = FrameQueue()
        _ = queue.push(Self.frame(0), rate: Self.rate, at: .zero)
        _ = queue.push(Self.frame(1), rate: Self.rate, at: .zero)
        #expect(queue.push(Self.frame(2), rate: nil, at: .zero).map(\.time) == [0, 1, 2])
    }

    @Test("After a lost coded picture nothing arrives that depends on it")
    func codedLoss() {
        var queue = FrameQueue()
        for number in 0..<4 {
            _ = queue.push(Self.frame(UInt64(number), coding: .hvc1, isKey: number == 0), rate: Self.rate, at: .zero)
        }
        _ = queue.push(Self.frame(4, coding: .hvc1, isKey: true), rate: Self.rate, at: .zero)
        _ = queue.push(Self.frame(5, coding: .hvc1, isKey: false), rate: Self.rate, at: .zero)
        #expect(queue.arrivals(rate: Self.rate, at: Self.time(10)).map(\.time) == [0, 4, 5])
    }
}
