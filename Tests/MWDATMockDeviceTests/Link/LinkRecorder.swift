import Foundation
import GlassesDomain
import MWDATCore
import Synchronization

@testable import MWDATMockDevice

/// A user of the simulated world that writes down what it is told.
final class LinkRecorder: Sendable {
    static let glasses = "glasses-1"

    private final class Recorded: Sendable {
        let events = Mutex<[LinkEvent]>([])
    }

    struct Timeout: Error {
        var waitedFor: String
    }

    let stage: MockStage
    let link: MockLink
    private let recorded = Recorded()

    /// A world with glasses that are worn, and a link to it.
    init(
        decoder: VideoDecoder? = VideoDecoder.find(), model: MWDATCore.DeviceType = .rayBanMeta,
        feed: MockFeedSource = .pattern
    ) {
        stage = MockStage(opener: MockFeedOpener(decoder: decoder))
        link = MockLink(stage: stage)
        stage.operate(.enabled(isRegistered: true, hasPermissions: true))
        stage.operate(.paired(Self.glasses, model, name: "Mock"))
        operate(.feed(feed))
        operate(.don)
        link.open { [recorded] event in recorded.events.withLock { $0.append(event) } }
    }

    func operate(_ operation: MockDeviceOperation) { stage.operate(.device(Self.glasses, operation)) }

    /// Opens a session and starts a stream in it.
    func stream(coding: LinkCoding = .i420, width: Int = 360, height: Int = 640, rate: Int = 30) {
        link.send(.openSession(1, device: Self.glasses, takesOver: false))
        let request = LinkStreamRequest(coding: coding, width: width, height: height, framesPerSecond: rate)
        link.send(.startStream(1, 1, request))
    }

    var events: [LinkEvent] { recorded.events.withLock { $0 } }
    var frames: [LinkFrame] { events.frames }

    /// The first value that `body` finds in the events; throws when there is none in time.
    func wait<Value>(_ name: String, for body: ([LinkEvent]) -> Value?) async throws -> Value {
        do {
            return try await waitUntil { body(events) }
        } catch is Timeout {
            throw Timeout(waitedFor: name)
        }
    }

    /// Waits for that many pictures.
    func frames(_ count: Int) async throws -> [LinkFrame] {
        try await wait("\(count) pictures") { $0.frames.count >= count ? $0.frames : nil }
    }

    /// Waits for the stream's end.
    func streamEnd() async throws -> Refusal? {
        try await wait("the stream's end") { events in
            events.lazy.compactMap { if case .streamEnded(_, _, let refusal) = $0 { [refusal] } else { nil } }.first
        }.first ?? nil
    }

    func end() {
        link.close()
        stage.operate(.disabled)
    }
}
