import Foundation
import GlassesDomain
import MWDATCore

/// Pictures that the decoder makes of a video or a camera.
final class DecodedFeed: MockFeed {
    private let child: MediaChild
    private let (width, height): (Int, Int)

    /// Reads what `child` writes: packed I420 of the plan's size.
    init(_ child: MediaChild, _ plan: MockFeedPlan) {
        self.child = child
        (width, height) = (plan.width, plan.height)
    }

    func picture(_ number: UInt64, _ plan: MockFeedPlan) throws(Refusal) -> MockPicture? {
        let bytes = try child.read(MockPicture.i420Size(width: width, height: height))
        let picture = MockPicture(coding: .i420, width: width, height: height, bytes: bytes)
        do throws(MediaError) { return try picture.filling(width: plan.width, height: plan.height) } catch {
            throw .unreadablePicture(error)
        }
    }

    func close() { child.end() }
}
