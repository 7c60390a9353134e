import Foundation
import GlassesDomain
import GlassesTesting
import Synchronization
import Testing

@testable import GlassesRuntime

@Suite struct EventLogTests {
    private func log(_ level: LogLevel = .verbose, _ interceptors: [any ExtentosInterceptor] = []) -> EventLog {
        EventLog(logLevel: level, interceptors: interceptors, clock: ManualClock().port, mirror: nil) { body in
            Task { await body() }
        }
    }

    @Test func anEventRightAfterTheSubscriptionIsNotMissed() async {
        let log = log()
        let events = log.events
        log.emit(.assistant(.wentDormant))
        log.finish()
        var count = 0
        for await _ in events { count += 1 }
        #expect(count == 1)
    }

    @Test func theNewest512EventsAreKept() async {
        let log = log()
        for index in 0..<600 { log.log(.error, "line \(index)") }
        let kept = await log.snapshotEvents()
        #expect(kept.count == 512)
        guard case .log(_, let first, _)? = kept.first, case .log(_, let last, _)? = kept.last else {
            Issue.record("log lines are kept")
            return
        }
        #expect(first == "line 88")
        #expect(last == "line 599")
    }

    @Test(arguments: LogLevel.allCases)
    func linesBelowTheLogLevelAreLeftOut(level: LogLevel) async {
        let log = log(level)
        for each in LogLevel.allCases { log.log(each, "line") }
        let kept = await log.snapshotEvents()
        #expect(kept.count == LogLevel.allCases.count - level.rawValue)
    }

    @Test func interceptorsSeeEveryEventInOrder() async {
        let interceptor = RecordingInterceptor()
        let log = log(.info, [interceptor])
        log.emit(.assistant(.userSpoke(transcript: "hello")))
        log.emit(.toggleChanged(key: "privacy_mode", oldValue: .null, newValue: true, source: .voiceCommand))
        log.log(.info, "line", ["n": 1])
        await eventually("all events are seen") { interceptor.names.count == 3 }
        #expect(interceptor.names == ["assistant.user_spoke", "toggle.changed", "log"])
    }
}

private final class RecordingInterceptor: ExtentosInterceptor {
    private let seen = Mutex<[String]>([])
    var names: [String] { seen.withLock { $0 } }
    func observe(_ event: InterceptedEvent) async { seen.withLock { $0.append(event.name) } }
}
