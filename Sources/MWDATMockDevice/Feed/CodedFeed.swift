import Foundation
import MWDATCore

/// HEVC that the decoder takes out of a file or makes of a camera.
final class CodedFeed: MockFeed {
    private let child: MediaChild
    private var film = FragmentedFilm()

    /// Reads the fragmented MP4 that `child` writes.
    init(_ child: MediaChild) { self.child = child }

    func picture(_ number: UInt64, _ plan: MockFeedPlan) throws(Refusal) -> MockPicture? {
        let deadline = MediaChild.deadline()
        while true {
            if let picture = try film.next() { return picture }
            film.append(try child.readSome(until: deadline))
        }
    }

    func close() { child.end() }
}

/// HEVC that the decoder makes of another feed's pictures. Each is written to it, and what it has ready is read.
final class EncodedFeed: MockFeed {
    private let feed: any MockFeed
    private let child: MediaChild
    private var film = FragmentedFilm()
    private let (width, height): (Int, Int)

    init(_ feed: any MockFeed, _ encoder: (child: MediaChild, plan: MockFeedPlan)) {
        self.feed = feed
        child = encoder.child
        (width, height) = (encoder.plan.width, encoder.plan.height)
    }

    func picture(_ number: UInt64, _ plan: MockFeedPlan) throws(Refusal) -> MockPicture? {
        var own = plan
        // The encoder's size is that of its start: a smaller rung of the ladder has a smaller rate alone.
        (own.width, own.height) = (width, height)
        if let raw = try feed.picture(number, own) { try child.exchange(writing: raw.bytes) { film.append($0) } }
        return try film.next()
    }

    func close() {
        feed.close()
        child.end()
    }
}
