import MWDATCore

/// Pictures of files, again and again.
final class PictureFeed: MockFeed {
    private let reel: PictureReel
    /// The last picture, for a reel of one: it is not decoded again.
    private var last: (index: UInt64, picture: MockPicture)?

    init(reel: PictureReel) { self.reel = reel }

    func picture(_ number: UInt64, _ plan: MockFeedPlan) throws(Refusal) -> MockPicture? {
        let index = number % UInt64(reel.count)
        if let last, last.index == index, last.picture.width == plan.width, last.picture.height == plan.height {
            return last.picture
        }
        let picture = try MockPicture(jpeg: try reel.jpeg(number), width: plan.width, height: plan.height)
        last = (index, picture)
        return picture
    }

    func close() { last = nil }
}
