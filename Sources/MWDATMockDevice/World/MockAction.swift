import MWDATCore

/// What the world's surroundings have to do.
enum MockAction: Sendable, Equatable {
    case deliver(MockClient, LinkEvent)
    case startFeed(MockStreamKey, MockFeedPlan)
    case changeFeed(MockStreamKey, MockFeedPlan)
    case stopFeed(MockStreamKey)
    case takePhoto(MockPhotoKey, MockPhotoPlan)
    /// Something that a person who scripts the world should know, such as a tap without a session.
    case note(String)
}

/// How a feed is to run.
struct MockFeedPlan: Sendable, Hashable {
    var source: MockFeedSource
    var coding: LinkCoding
    /// Pixels that the pictures are made with.
    var width: Int
    var height: Int
    var framesPerSecond: Int
}

/// How a photo is to be made.
struct MockPhotoPlan: Sendable, Hashable {
    /// The file that is returned; nil makes one of the feed.
    var image: String?
    var source: MockFeedSource
    var format: LinkPhotoFormat
}
