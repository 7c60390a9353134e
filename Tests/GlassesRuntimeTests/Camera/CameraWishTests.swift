import GlassesDomain
import GlassesTesting
import Testing

@testable import GlassesRuntime

@Suite("Which of a camera's modes comes nearest to a wish")
struct CameraWishTests {
    private static let webcam: [CameraMode] = [
        CameraMode(format: .yuyv, width: 640, height: 480, frameRate: 30),
        CameraMode(format: .yuyv, width: 1_280, height: 720, frameRate: 10),
        CameraMode(format: .jpeg, width: 640, height: 480, frameRate: 30),
        CameraMode(format: .jpeg, width: 1_280, height: 720, frameRate: 30),
        CameraMode(format: .jpeg, width: 1_920, height: 1_080, frameRate: 30),
    ]

    struct Case: Sendable, CustomTestStringConvertible {
        var wish: CameraWish
        var modes: [CameraMode]
        var chosen: CameraMode
        var testDescription: String { "\(wish)" }
    }

    private static let cases: [Case] = [
        // A landscape camera serves the upright nominal sizes.
        Case(wish: CameraWish(resolution: .high, frameRate: 30), modes: webcam, chosen: webcam[3]),
        Case(wish: CameraWish(resolution: .medium, frameRate: 24), modes: webcam, chosen: webcam[2]),
        Case(wish: CameraWish(resolution: .low, frameRate: 24), modes: webcam, chosen: webcam[2]),
        // Pixels are wanted: no JPEG that would have to be decoded, where there is a choice.
        Case(wish: CameraWish(resolution: .low, frameRate: 30, prefersPixels: true), modes: webcam, chosen: webcam[0]),
        // The rate decides before the format.
        Case(wish: CameraWish(resolution: .high, frameRate: 30, prefersPixels: true), modes: webcam, chosen: webcam[3]),
        Case(wish: CameraWish(resolution: .high, frameRate: 8, prefersPixels: true), modes: webcam, chosen: webcam[1]),
    ]

    @Test(arguments: cases)
    func isFound(_ one: Case) { #expect(one.wish.nearest(in: one.modes) == one.chosen) }

    @Test(
        "A frame rate snaps to the nearest one, ties up",
        arguments: [
            (1, 2), (2, 2), (4, 2), (5, 7), (11, 15), (12, 15), (15, 15), (19, 15), (20, 24), (27, 30), (60, 30),
            (Int.max, 30), (Int.min, 2),
        ])
    func snapsRates(_ rates: (asked: Int, given: Int)) {
        let wish = CameraWish(resolution: .medium, frameRate: rates.asked)
        let mode = wish.nearest(in: SimulatedCamera.documentedModes)
        #expect(mode?.frameRate == rates.given)
        #expect(mode?.width == 504 && mode?.height == 896)
    }

    @Test func savingBatteryWishesTheLowestSizeAndTwoFramesASecond() {
        let wish = CameraWish(resolution: .high, frameRate: 30, prefersPixels: true).savingBattery
        #expect(wish == CameraWish(resolution: .low, frameRate: 2, prefersPixels: true))
        #expect(CameraWish(resolution: .high, frameRate: 1).savingBattery.frameRate == 1)
    }

    @Test(
        "What the stream is locked at is the class that its size is nearest to",
        arguments: [
            (640, 480, Resolution.low), (800, 600, .medium), (1_280, 720, .high), (1_920, 1_080, .high),
            (360, 640, .low),
        ])
    func isTold(_ one: (width: Int, height: Int, resolution: Resolution)) {
        let mode = CameraMode(format: .jpeg, width: one.width, height: one.height, frameRate: 30)
        #expect(ActiveStreamInfo(mode) == ActiveStreamInfo(resolution: one.resolution, frameRate: 30))
    }
}

@Suite("Thinning a stream")
struct FrameThinningTests {
    private func accepted(stream: Int, asked: Int, seconds: Int = 4, jitter: Int64 = 0) -> [MonotonicTime] {
        var thinning = FrameThinning()
        return (0..<stream * seconds).compactMap { index in
            let exact = Int64(index) * 1_000_000_000 / Int64(stream)
            let time = MonotonicTime(nanoseconds: exact + (index % 2 == 0 ? jitter : -jitter) + 1_000_000_000)
            return thinning.accepts(time, rate: asked) ? time : nil
        }
    }

    @Test(
        "As many frames are left as were asked for, and never two closer than half a period",
        arguments: [(30, 15), (24, 15), (30, 7), (30, 2), (24, 1), (30, 29)])
    func keepsTheRate(_ rates: (stream: Int, asked: Int)) {
        let times = accepted(stream: rates.stream, asked: rates.asked)
        #expect(abs(times.count - rates.asked * 4) <= 1)
        let shortest = zip(times, times.dropFirst()).map { $0.duration(to: $1) }.min() ?? .zero
        #expect(shortest >= .nanoseconds(500_000_000 / Int64(rates.asked)))
    }

    @Test func aStreamAtTheAskedRateLosesNothingToItsJitter() {
        #expect(accepted(stream: 30, asked: 30, jitter: 5_000_000).count == 120)
        #expect(accepted(stream: 15, asked: 30).count == 60)
    }

    @Test func aGapIsFollowedByNoBurst() {
        var thinning = FrameThinning()
        var count = 0
        for index in 0..<30 {
            let gap: Int64 = index < 15 ? 0 : 60_000_000_000
            let time = MonotonicTime(nanoseconds: Int64(index) * 33_333_333 + gap)
            if thinning.accepts(time, rate: 5) { count += 1 }
        }
        #expect((5...7).contains(count))
    }

    @Test func aStreamWhoseClockBeginsAnewIsDeliveredAgain() {
        var thinning = FrameThinning()
        let (before, after) = (
            thinning.accepts(MonotonicTime(nanoseconds: 90_000_000_000), rate: 15),
            thinning.accepts(MonotonicTime(nanoseconds: 1_000_000_000), rate: 15)
        )
        #expect(before && after)
    }
}
