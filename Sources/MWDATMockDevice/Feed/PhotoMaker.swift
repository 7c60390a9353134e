import Foundation
import GlassesDomain
import MWDATCore
import MWDATImage

/// Makes a photo: of the JPEG or PNG file that was set, or of the feed.
struct PhotoMaker: Sendable {
    /// Pixels of a photo, whatever the stream's size.
    static let (width, height) = (1_080, 1_440)
    private static let quality = 90

    let opener: MockFeedOpener

    /// The photo of a plan; `latest` is the stream's last picture, if it runs. HEIC is not made: the photo says that it is JPEG.
    func make(_ plan: MockPhotoPlan, latest: FeedRunner.Latest?) -> MockPhotoResult {
        do throws(Refusal) {
            let file = if let image = plan.image { try stored(image) } else { try taken(plan, latest) }
            return .success(LinkPhoto(format: .jpeg, bytes: file))
        } catch {
            return .failure(error)
        }
    }

    private func stored(_ path: String) throws(Refusal) -> Data {
        let file = try PictureReel.read(path, limit: PictureReel.fileLimit)
        if file.starts(with: [0xFF, 0xD8, 0xFF]) { return file }
        guard let picture = UIImage(data: file)?.jpegData(compressionQuality: CGFloat(Self.quality) / 100) else {
            throw .unreadablePicture("\(URL(fileURLWithPath: path).lastPathComponent) is neither JPEG nor PNG")
        }
        return picture
    }

    private func taken(_ plan: MockPhotoPlan, _ latest: FeedRunner.Latest?) throws(Refusal) -> Data {
        let picture = try picture(plan, latest)
        do throws(MediaError) {
            return try picture.filling(width: Self.width, height: Self.height).jpeg(quality: Self.quality)
        } catch {
            throw .unreadablePicture(error)
        }
    }

    /// What the camera sees now: a picture of a photo's size where that can be made, else the stream's last one.
    private func picture(_ plan: MockPhotoPlan, _ latest: FeedRunner.Latest?) throws(Refusal) -> MockPicture {
        let isLive = if case .pattern = plan.source { false } else { true }
        if isLive, let picture = latest?.picture { return picture }
        let feedPlan = MockFeedPlan(
            source: plan.source, coding: .i420, width: Self.width, height: Self.height, framesPerSecond: 30)
        let feed = try opener.open(feedPlan)
        defer { feed.close() }
        guard let picture = try feed.picture(latest?.number ?? 0, feedPlan) else {
            throw .unreadableFeed("it gave no picture")
        }
        return picture
    }
}
