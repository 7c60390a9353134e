import GlassesAssistant
import GlassesDomain
import Testing

@Suite struct RotationStateMachineTests {
    private static func at(_ seconds: Double) -> MonotonicTime {
        MonotonicTime.zero.advanced(by: .fromSeconds(seconds))
    }

    /// A rotation of a connection that began at 0 and ends after an hour, and is quiet from 0 on unless something is under way.
    private static func connected(isQuiet: Bool = true) -> RotationStateMachine {
        var rotation = RotationStateMachine()
        _ = rotation.apply(.connected(endsAt: at(3_600)), at: at(0))
        if isQuiet { _ = rotation.apply(.quietBegan, at: at(0)) }
        return rotation
    }

    @Test(arguments: [(3_600, 3_000, 3_540, 3_590), (7_200, 6_600, 7_140, 7_190), (360, 300, 354, 359)])
    func aLifeIsLeftEarlyEnoughForItsLength(life: Double, due: Double, urgent: Double, final: Double) {
        var rotation = RotationStateMachine()
        let marks = rotation.apply(.connected(endsAt: Self.at(life)), at: Self.at(0)).filter {
            if case .schedule = $0 { true } else { false }
        }
        #expect(
            marks == [
                .schedule(.due, at: Self.at(due)), .schedule(.urgent, at: Self.at(urgent)),
                .schedule(.final, at: Self.at(final)),
            ])
    }

    @Test func aConnectionThatNobodyEndsIsNeverLeft() {
        var rotation = RotationStateMachine()
        let actions = rotation.apply(.connected(endsAt: nil), at: Self.at(0))
        #expect(!actions.contains { if case .schedule = $0 { true } else { false } })
    }

    @Test func aSecondOfQuietBeginsTheAttempt() {
        var rotation = Self.connected()
        #expect(rotation.apply(.reached(.due), at: Self.at(3_000)) == [.openSecond])
    }

    @Test func aQuietMomentThatHasJustBegunHasToLast() {
        var rotation = Self.connected(isQuiet: false)
        #expect(rotation.apply(.reached(.due), at: Self.at(3_000)) == [])
        #expect(rotation.apply(.quietBegan, at: Self.at(3_010)) == [.schedule(.quiet, at: Self.at(3_011))])
        #expect(rotation.apply(.quietEnded, at: Self.at(3_010.5)) == [.cancel(.quiet)])
        #expect(rotation.apply(.quietBegan, at: Self.at(3_020)) == [.schedule(.quiet, at: Self.at(3_021))])
        #expect(rotation.apply(.reached(.quiet), at: Self.at(3_021)) == [.openSecond])
    }

    @Test func whateverBeginsDuringTheAttemptCallsItOff() {
        var rotation = Self.connected()
        _ = rotation.apply(.reached(.due), at: Self.at(3_000))
        #expect(rotation.apply(.quietEnded, at: Self.at(3_000.2)) == [.callOff])
        #expect(rotation.apply(.quietBegan, at: Self.at(3_005)) == [.schedule(.quiet, at: Self.at(3_006))])
    }

    @Test func inTheLastMinuteTheFirstMomentWithoutAnythingWillDo() {
        var rotation = Self.connected(isQuiet: false)
        _ = rotation.apply(.reached(.due), at: Self.at(3_000))
        #expect(rotation.apply(.reached(.urgent), at: Self.at(3_540)) == [])
        #expect(rotation.apply(.quietBegan, at: Self.at(3_545)) == [.openSecond])
    }

    @Test func atTheLastCallTheConnectionIsChangedWhateverIsUnderWay() {
        var rotation = Self.connected(isQuiet: false)
        _ = rotation.apply(.reached(.due), at: Self.at(3_000))
        #expect(rotation.apply(.reached(.final), at: Self.at(3_590)) == [.reconnect(.ceilingApproach)])
        var attempting = Self.connected()
        _ = attempting.apply(.reached(.due), at: Self.at(3_000))
        #expect(attempting.apply(.reached(.final), at: Self.at(3_590)) == [.callOff, .reconnect(.ceilingApproach)])
    }

    @Test func aProviderThatAllowsOneConnectionIsLeftBeforeTheNextIsOpened() {
        var rotation = Self.connected()
        _ = rotation.apply(.reached(.due), at: Self.at(3_000))
        #expect(rotation.apply(.secondRefused, at: Self.at(3_001)) == [.reconnect(.proactiveCadence)])
        _ = rotation.apply(.disconnected, at: Self.at(3_001))
        _ = rotation.apply(.connected(endsAt: Self.at(6_602)), at: Self.at(3_002))
        #expect(rotation.apply(.reached(.due), at: Self.at(6_000)) == [.reconnect(.proactiveCadence)])
    }

    @Test func anAttemptThatTheNetworkFailedIsRepeatedAfterAWhile() {
        var rotation = Self.connected()
        _ = rotation.apply(.reached(.due), at: Self.at(3_000))
        #expect(rotation.apply(.secondFailed, at: Self.at(3_010)) == [.schedule(.retry, at: Self.at(3_040))])
        #expect(rotation.apply(.reached(.retry), at: Self.at(3_040)) == [.openSecond])
    }

    @Test func aWishForANewConnectionIsMetAtTheNextQuietMoment() {
        var rotation = RotationStateMachine()
        #expect(rotation.apply(.wanted, at: Self.at(0)) == [])
        _ = rotation.apply(.connected(endsAt: nil), at: Self.at(1))
        #expect(rotation.apply(.wanted, at: Self.at(2)) == [])
        #expect(rotation.apply(.quietBegan, at: Self.at(3)) == [.schedule(.quiet, at: Self.at(4))])
        #expect(rotation.apply(.reached(.quiet), at: Self.at(4)) == [.openSecond])
    }

    @Test func aLostConnectionEndsTheAttemptAndItsTimers() {
        var rotation = Self.connected()
        _ = rotation.apply(.reached(.due), at: Self.at(3_000))
        let ended = rotation.apply(.disconnected, at: Self.at(3_001))
        #expect(ended.first == .callOff)
        #expect(ended.dropFirst() == RotationMark.allCases.map(RotationAction.cancel)[...])
        #expect(rotation.apply(.reached(.final), at: Self.at(3_590)) == [])
    }
}
