import Foundation
import GlassesAssistant
import GlassesDomain
import Testing

@Suite struct SessionStateMachineTests {
    @Test func theTableHoldsEachOfTheSixtyFourPairsOnce() throws {
        let rows = try LifecycleTable.read().rows
        #expect(rows.count == 64)
        for state in AssistantState.allCases {
            for event in LifecycleEvent.allCases {
                let count = rows.count { $0.state == state && $0.event == event }
                #expect(count == 1, "\(state.rawValue) × \(event.rawValue)")
            }
        }
    }

    @Test func theMachineGivesTheVerdictsOfTheTable() throws {
        for row in try LifecycleTable.read().rows {
            let verdict = SessionStateMachine.verdict(on: row.event, in: row.state)
            #expect(verdict == row.verdict, "\(row.state.rawValue) × \(row.event.rawValue)")
        }
    }

    /// Ways into every state.
    static let paths: [(AssistantState, [LifecycleEvent])] = [
        (.idle, []), (.dormant, [.start]), (.activating, [.start, .wake]), (.active, [.start, .wake, .connected]),
        (.reconnecting, [.start, .wake, .connected, .connectionLost]),
        (.sleeping, [.start, .wake, .connected, .sleep]), (.stopping, [.start, .stop]),
        (.stopped, [.start, .stop, .connectionLost]),
    ]

    @Test(arguments: paths) func theMachineMovesExactlyWhenTheVerdictIsToProceed(
        state: AssistantState, path: [LifecycleEvent]
    ) {
        var reached = SessionStateMachine()
        for event in path { _ = reached.apply(event) }
        #expect(reached.state == state)
        for event in LifecycleEvent.allCases {
            var machine = reached
            let verdict = machine.apply(event)
            if case .proceed(let next) = verdict {
                #expect(machine.state == next)
            } else {
                #expect(machine.state == state)
            }
        }
    }

    @Test func theDocumentationShowsTheTable() throws {
        let page = URL(fileURLWithPath: #filePath).resolvingSymlinksInPath()
            .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appendingPathComponent("docs/assistant-states.md")
        let expected = try LifecycleTable.read().documentation
        if ProcessInfo.processInfo.environment["UPDATE_DOCS"] == "1" {
            try expected.write(to: page, atomically: true, encoding: .utf8)
        }
        #expect(try String(contentsOf: page, encoding: .utf8) == expected, "run the tests with UPDATE_DOCS=1")
    }
}
