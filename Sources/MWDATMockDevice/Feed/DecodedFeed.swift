import Foundation
import GlassesDomain
import MWDATCore

/// Pictures that the decoder makes of a video or a camera.
///
/// It makes them at the rate of the beginning. When the stream is slower, or pictures were left out, those between are passed over, so
/// that a film keeps its speed.
final class DecodedFeed: MockFeed {
    private let child: MediaChild
    private let (width, height, rate): (Int, Int, Int)
    private var last: UInt64?
    /// How many pictures should have been read by now, and how many were.
    private var (due, read) = (0.0, 0.0)

    /// Reads what `child` writes: packed I420 of the plan's size.
    init(_ child: MediaChild, _ plan: MockFeedPlan) {
        self.child = child
        (width, height, rate) = (plan.width, plan.height, plan.framesPerSecond)
    }

    func picture(_ number: UInt64, _ plan: MockFeedPlan) throws(Refusal) -> MockPicture? {
        // Not more than a second's at once: a machine that slept does not decode its night.
        let steps = min(last.map { number - $0 } ?? 1, UInt64(rate))
        last = number
        due += Double(steps) * Double(rate) / Double(max(1, plan.framesPerSecond))
        var bytes: Data?
        while read < due {
            bytes = try child.read(MockPicture.i420Size(width: width, height: height))
            read += 1
        }
        guard let bytes else { return nil }
        let picture = MockPicture(coding: .i420, width: width, height: height, bytes: bytes)
        do throws(MediaError) { return try picture.filling(width: plan.width, height: plan.height) } catch {
            throw .unreadablePicture(error)
        }
    }

    func close() { child.end() }
}
