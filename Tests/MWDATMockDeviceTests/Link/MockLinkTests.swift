import Foundation
import GlassesDomain
import MWDATCore
import Synchronization
import Testing

@testable import MWDATMockDevice

@Suite("A link into the simulated world")
struct MockLinkTests {
    @Test("Events come in order: the greeting, the session, the stream, its pictures, its end")
    func order() async throws {
        let recorder = LinkRecorder()
        recorder.stream()
        _ = try await recorder.frames(3)
        recorder.link.send(.closeSession(1))
        let events = try await recorder.wait("the end") { $0.contains(.sessionEnded(1, nil)) ? $0 : nil }
        let others = events.filter { if case .frame = $0 { false } else { true } }
        #expect(
            Array(others.dropFirst(3)) == [
                .sessionStarted(1), .streamStarted(1, 1), .streamEnded(1, 1, nil), .sessionEnded(1, nil),
            ])
        #expect(events.last == .sessionEnded(1, nil))
        recorder.end()
    }

    @Test("No event comes after close has returned")
    func close() async throws {
        let recorder = LinkRecorder()
        recorder.stream()
        _ = try await recorder.frames(1)
        recorder.link.close()
        let count = recorder.events.count
        // Another link tells when the world has told what follows.
        let other = MockLink(stage: recorder.stage)
        let folded = Atomic(false)
        other.open { event in
            if case .device(let device) = event, device.state.hingeState == .closed {
                folded.store(true, ordering: .releasing)
            }
        }
        recorder.operate(.fold)
        try await waitUntil { folded.load(ordering: .acquiring) ? true : nil }
        other.close()
        #expect(recorder.events.count == count)
        recorder.end()
    }

    @Test("A reader who is slow gets the newest pictures, and every other event")
    func slowReader() async throws {
        let release = DispatchSemaphore(value: 0)
        let seen = Mutex<[LinkEvent]>([])
        let isFirst = Atomic(true)
        let mailbox = LinkMailbox { event in
            if isFirst.exchange(false, ordering: .relaxed) { release.wait() }
            seen.withLock { $0.append(event) }
        }
        mailbox.post(.sessionStarted(1))
        for number in UInt64(0)..<50 {
            let frame = LinkFrame(coding: .i420, width: 2, height: 2, time: number, bytes: Data(count: 6))
            mailbox.post(.frame(1, 1, frame))
        }
        mailbox.post(.sessionEnded(1, nil))
        release.signal()
        let recorder = try await waitUntil { seen.withLock { $0.last == .sessionEnded(1, nil) ? $0 : nil } }
        #expect(recorder.first == .sessionStarted(1))
        #expect(recorder.frames.map(\.time) == [46, 47, 48, 49])
    }

    @Test("A reader who does not read is told that the link is gone, and nothing grows")
    func deadReader() async throws {
        let release = DispatchSemaphore(value: 0)
        let seen = Mutex<[LinkEvent]>([])
        let mailbox = LinkMailbox { event in
            release.wait()
            seen.withLock { $0.append(event) }
        }
        for number in 0..<LinkMailbox.eventLimit + 10 { mailbox.post(.sessionPaused(UInt64(number))) }
        for _ in 0..<100 { release.signal() }
        let events = try await waitUntil { seen.withLock { $0.count >= 10 ? $0 : nil } }
        #expect(events.contains { if case .unavailable = $0 { true } else { false } })
        mailbox.close()
    }

    @Test("A late answer comes by itself")
    func lateAnswer() async throws {
        let recorder = LinkRecorder()
        recorder.stage.operate(.faultsSet(MockFaults(answerDelay: .milliseconds(200))))
        let start = ContinuousClock.now
        recorder.link.send(.checkPermission(.camera, 1))
        _ = try await recorder.wait("the answer") { $0.contains(.permission(1, .granted)) ? true : nil }
        #expect(start.duration(to: .now) >= .milliseconds(200))
        recorder.end()
    }

    @Test("Glasses that crashed are connected again by themselves")
    func restart() async throws {
        let recorder = LinkRecorder()
        recorder.operate(.incident(.crash))
        _ = try await recorder.wait("the restart") { events in
            let states = events.compactMap { if case .device(let device) = $0 { device.state.linkState } else { nil } }
            return states == [.disconnected, .connected] ? true : nil
        }
        recorder.end()
    }
}

/// The first value that `body` gives; throws when there is none in time.
@discardableResult
func waitUntil<Value>(_ body: () throws -> Value?) async throws -> Value {
    let deadline = ContinuousClock.now.advanced(by: .seconds(30))
    while true {
        // Looked at before the clock: on a loaded machine the pause alone may take as long as the deadline.
        if let value = try body() { return value }
        guard ContinuousClock.now < deadline else { throw LinkRecorder.Timeout(waitedFor: "a condition") }
        try await Task.sleep(for: .milliseconds(10))
    }
}
