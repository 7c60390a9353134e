import Testing

@testable import MWDATCore

/// Every row of the documentation's table of registration states, and what lies between the rows.
struct RegistrationMachineTests {
    private let refused = Refusal(.companion, "no", isRetryable: true)
    private var machine = RegistrationMachine()
    private var now = Uptime(nanoseconds: 0)

    @discardableResult
    private mutating func apply(_ input: RegistrationMachine.Input) -> [RegistrationMachine.Action] {
        machine.apply(input, at: now)
    }

    private mutating func reach(_ state: RegistrationState) {
        apply(.linkOpened)
        switch state {
        case .unavailable: break
        case .available, .registered: apply(.linkReported(state, nil))
        case .registering:
            apply(.linkReported(.available, nil))
            apply(.registrationAsked)
        }
    }

    @Test(arguments: [RegistrationState.available, .registered])
    mutating func aNewProcessIsUnavailableUntilTheLinkTellsTheRegistration(_ told: RegistrationState) {
        #expect(machine.state == .unavailable)
        #expect(apply(.linkOpened).isEmpty)
        #expect(machine.registrationRefusal == .metaAINotInstalled)
        #expect(apply(.linkReported(told, nil)) == [.announce(told)])
        #expect(machine.state == told)
    }

    @Test mutating func anAcceptedStartIsRegisteringAndAsksTheCompanionWithinAMinute() {
        reach(.available)
        #expect(
            apply(.registrationAsked) == [
                .announce(.registering), .schedule(1, .seconds(60)), .askToRegister,
            ])
    }

    @Test mutating func aCallbackOfSuccessRegisters() {
        reach(.registering)
        #expect(apply(.registrationAnswered(nil)) == [.announce(.registered), .cancel(1), .endRegistration(nil)])
    }

    @Test mutating func aRefusalOfThePersonIsAvailableWithItsReason() {
        reach(.registering)
        #expect(
            apply(.registrationAnswered(refused)) == [.announce(.available), .cancel(1), .endRegistration(refused)])
    }

    @Test mutating func aRefusalOfTheCompanionIsAvailableWithItsReason() {
        reach(.registering)
        #expect(
            apply(.linkReported(.available, refused)) == [
                .announce(.available), .cancel(1), .endRegistration(refused),
            ])
    }

    @Test mutating func aRegistrationWithoutAnAnswerIsAvailableAndTimesOut() {
        reach(.registering)
        #expect(
            apply(.timerFired(1)) == [
                .announce(.available), .cancelRegistration, .endRegistration(.registrationTimeout),
            ])
        #expect(RegistrationError(answer: .registrationTimeout) == .timeout)
    }

    @Test mutating func anUnregistrationThatIsAnsweredIsAvailable() {
        reach(.registered)
        #expect(apply(.unregistrationAsked) == [.schedule(1, .seconds(60)), .askToUnregister])
        #expect(machine.state == .registered)
        #expect(
            apply(.unregistrationAnswered(nil)) == [
                .announce(.available), .cancel(1), .endTrust(.unregistered), .endUnregistration(nil),
            ])
    }

    @Test mutating func anAppThatIsRemovedInTheCompanionIsAvailableAndLosesItsTrust() {
        reach(.registered)
        let removed = Refusal(.trust, "removed", isRetryable: true)
        #expect(apply(.linkReported(.available, removed)) == [.announce(.available), .endTrust(removed)])
    }

    @Test(arguments: [RegistrationState.available, .registering, .registered])
    mutating func aLinkThatIsLostIsUnavailableInEveryState(_ from: RegistrationState) {
        reach(from)
        let actions = apply(.linkLost(refused))
        #expect(actions.first == .announce(.unavailable))
        #expect(actions.contains(.endRegistration(refused)) == (from == .registering))
    }

    @Test mutating func anUnavailableRegistrationOfAnOpenLinkCanBeAskedFor() {
        apply(.linkOpened)
        apply(.linkReported(.unavailable, nil))
        #expect(machine.registrationRefusal == nil)
        #expect(apply(.registrationAsked).contains(.askToRegister))
        #expect(apply(.linkReported(.registered, nil)).contains(.endRegistration(nil)))
    }

    @Test mutating func aStartWhileRegisteredIsRefused() {
        reach(.registered)
        #expect(machine.registrationRefusal == .alreadyRegistered)
        #expect(apply(.registrationAsked).isEmpty)
    }

    @Test(arguments: [RegistrationState.available, .registering])
    mutating func anUnregistrationWithoutARegistrationIsRefused(_ from: RegistrationState) {
        reach(from)
        #expect(machine.unregistrationRefusal == .alreadyUnregistered)
        #expect(apply(.unregistrationAsked).isEmpty)
    }

    @Test mutating func aSecondStartWhileRegisteringChangesNothing() {
        reach(.registering)
        #expect(machine.registrationRefusal == nil)
        #expect(apply(.registrationAsked).isEmpty)
    }

    @Test mutating func anUnregistrationWithoutAnAnswerStaysRegisteredAndTimesOut() {
        reach(.registered)
        apply(.unregistrationAsked)
        #expect(apply(.timerFired(1)) == [.endUnregistration(.unregistrationTimeout)])
        #expect(machine.state == .registered)
        #expect(UnregistrationError(answer: .unregistrationTimeout) == .timeout)
    }

    @Test mutating func aRefusedUnregistrationStaysRegistered() {
        reach(.registered)
        apply(.unregistrationAsked)
        #expect(apply(.unregistrationAnswered(refused)) == [.cancel(1), .endUnregistration(refused)])
        #expect(machine.state == .registered)
    }

    @Test mutating func aLateCallbackStillRegistersForTenMinutes() {
        reach(.registering)
        apply(.timerFired(1))
        now = Uptime(nanoseconds: 0) + .seconds(599)
        #expect(apply(.registrationAnswered(nil)) == [.announce(.registered)])
    }

    @Test mutating func aCallbackThatIsTooLateIsRefused() {
        reach(.registering)
        apply(.timerFired(1))
        now = Uptime(nanoseconds: 0) + .seconds(601)
        #expect(apply(.registrationAnswered(nil)) == [.refuseAnswer])
        #expect(machine.state == .available)
    }

    @Test mutating func aCallbackThatNobodyAskedForIsRefused() {
        reach(.available)
        #expect(apply(.registrationAnswered(nil)) == [.refuseAnswer])
        #expect(apply(.unregistrationAnswered(nil)) == [.refuseAnswer])
        #expect(machine.state == .available)
    }

    @Test mutating func aTimerOfAnEarlierRegistrationChangesNothing() {
        reach(.registering)
        apply(.registrationAnswered(refused))
        apply(.registrationAsked)
        #expect(apply(.timerFired(1)).isEmpty)
        #expect(machine.state == .registering)
    }

    @Test mutating func aRegistrationThatTheCompanionBeginsIsBoundedToo() {
        reach(.available)
        #expect(apply(.linkReported(.registering, nil)) == [.announce(.registering), .schedule(1, .seconds(60))])
        #expect(apply(.timerFired(1)).contains(.cancelRegistration))
        #expect(machine.state == .available)
    }

    @Test mutating func aLinkThatComesBackTellsTheRegistrationAnew() {
        reach(.registered)
        apply(.linkLost(refused))
        apply(.linkOpened)
        #expect(machine.state == .unavailable)
        #expect(apply(.linkReported(.registered, nil)) == [.announce(.registered)])
    }
}
