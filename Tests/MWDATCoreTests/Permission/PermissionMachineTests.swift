import TestLink
import Testing

@testable import MWDATCore

/// Every row of the documentation's table of permissions, on the machine.
struct PermissionMachineTests {
    private var machine = PermissionMachine()

    @discardableResult
    private mutating func apply(_ input: PermissionMachine.Input) -> [PermissionMachine.Action] {
        machine.apply(input, at: Uptime(nanoseconds: 0))
    }

    /// The camera is being asked for: by 1 whether it was granted before, by 2 of the person.
    private mutating func askPerson() {
        apply(.requestAsked(.camera, check: 1, ask: 2))
        apply(.answered(1, .denied))
    }

    @Test(arguments: [true, false])
    func anAppThatIsNotRegisteredHasNoDevice(isRequest: Bool) {
        let refusal = PermissionMachine.refusal(isRegistered: false, devices: [.test()], isRequest: isRequest)
        #expect(refusal?.0 == .noDevice)
        #expect(refusal?.1.check == .trust)
    }

    @Test func aCheckWithoutKnownGlassesHasNoDevice() {
        #expect(PermissionMachine.refusal(isRegistered: true, devices: [], isRequest: false)?.0 == .noDevice)
    }

    @Test func aRequestWithoutKnownGlassesGoesToThePerson() {
        #expect(PermissionMachine.refusal(isRegistered: true, devices: [], isRequest: true) == nil)
    }

    @Test(arguments: [true, false])
    func glassesOfWhichNoneIsConnectedHaveNoConnection(isRequest: Bool) {
        let off = LinkDevice.test { $0.linkState = .disconnected }
        let coming = LinkDevice.test("b") { $0.linkState = .connecting }
        let refusal = PermissionMachine.refusal(isRegistered: true, devices: [off, coming], isRequest: isRequest)
        #expect(refusal?.0 == .noDeviceWithConnection)
    }

    @Test func oneConnectedPairIsEnough() {
        let off = LinkDevice.test { $0.linkState = .disconnected }
        #expect(PermissionMachine.refusal(isRegistered: true, devices: [off, .test("b")], isRequest: false) == nil)
    }

    @Test(arguments: [
        (Refusal.Check.transport, PermissionError.connectionError), (.network, .connectionError),
        (.companion, .metaAINotInstalled), (.notFound, .noDevice), (.trust, .noDevice),
        (.link, .noDeviceWithConnection),
        (.power, .noDeviceWithConnection), (.hinges, .noDeviceWithConnection), (.occupied, .requestInProgress),
        (.timeout, .requestTimeout), (.resources, .internalError),
    ])
    mutating func aRefusalInTheMidstOfARequestIsItsError(_ check: Refusal.Check, _ error: PermissionError) {
        askPerson()
        let refusal = Refusal(check, "no", isRetryable: true)
        #expect(apply(.failed(2, refusal)) == [.cancel(1), .cancel(2), .finish(2, .refused(error, refusal))])
    }

    @Test mutating func aSecondRequestWhileOneIsOpenIsInProgress() {
        askPerson()
        #expect(
            apply(.requestAsked(.microphone, check: 3, ask: 4)) == [
                .finish(4, .refused(.requestInProgress, .requestInProgress))
            ])
        #expect(apply(.answered(2, .granted)).last == .finish(2, .status(.granted)))
    }

    @Test mutating func aRequestWithoutAnAnswerTimesOutAfterAMinute() {
        #expect(apply(.requestAsked(.camera, check: 1, ask: 2)).first == .schedule(2, .seconds(60)))
        apply(.answered(1, .denied))
        #expect(apply(.timerFired(2)).last == .finish(2, .refused(.requestTimeout, .permissionTimeout)))
    }

    @Test mutating func aDenialIsAnAnswer() {
        askPerson()
        #expect(apply(.answered(2, .denied)).last == .finish(2, .status(.denied)))
        #expect(machine.known == [.camera: .denied])
    }

    @Test mutating func aRequestForWhatIsGrantedAlreadyAsksNobody() {
        #expect(apply(.requestAsked(.camera, check: 1, ask: 2)).last == .sendCheck(.camera, 1))
        #expect(apply(.answered(1, .granted)) == [.cancel(1), .cancel(2), .finish(2, .status(.granted))])
    }

    @Test mutating func aCheckThatFailsDoesNotKeepARequestFromThePerson() {
        apply(.requestAsked(.camera, check: 1, ask: 2))
        #expect(apply(.failed(1, .noSuchDevice)) == [.cancel(1), .askPerson(.camera, 2)])
    }

    @Test mutating func aCheckThatIsNotAnsweredDoesNotKeepARequestFromThePerson() {
        apply(.requestAsked(.camera, check: 1, ask: 2))
        #expect(apply(.timerFired(1)) == [.cancel(1), .askPerson(.camera, 2)])
        #expect(apply(.answered(1, .granted)).isEmpty)
    }

    @Test mutating func aCheckEndsOnceWithItsAnswer() {
        #expect(apply(.checkAsked(.camera, 7)) == [.schedule(7, .seconds(5)), .sendCheck(.camera, 7)])
        #expect(apply(.answered(7, .granted)) == [.cancel(7), .finish(7, .status(.granted))])
        #expect(apply(.answered(7, .denied)).isEmpty)
        #expect(apply(.timerFired(7)).isEmpty)
    }

    @Test mutating func aCheckWithoutAnAnswerTimesOut() {
        apply(.checkAsked(.camera, 7))
        #expect(apply(.timerFired(7)) == [.finish(7, .refused(.requestTimeout, .permissionTimeout))])
    }

    @Test(arguments: [Permission.camera, nil])
    mutating func aCallbackAnswersTheOpenRequest(_ named: Permission?) {
        askPerson()
        #expect(apply(.callbackArrived(named, .granted)).last == .finish(2, .status(.granted)))
    }

    @Test mutating func aCallbackOfAnotherPermissionDoesNotAnswer() {
        askPerson()
        #expect(apply(.callbackArrived(.microphone, .granted)).isEmpty)
        #expect(apply(.callbackFailed(.microphone, .noCompanion)).isEmpty)
    }

    @Test(arguments: [Permission.camera, nil])
    mutating func aCallbackThatFailsEndsTheOpenRequestWithoutAnAnswer(_ named: Permission?) {
        askPerson()
        let end = PermissionMachine.Outcome.refused(.metaAINotInstalled, .noCompanion)
        #expect(apply(.callbackFailed(named, .noCompanion)).last == .finish(2, end))
        #expect(machine.known.isEmpty)
        #expect(apply(.callbackFailed(named, .noCompanion)).isEmpty)
    }

    @Test mutating func aLateYesIsTheNextRequestsAnswer() {
        askPerson()
        apply(.timerFired(2))
        #expect(apply(.answered(2, .granted)).isEmpty)
        #expect(machine.known == [.camera: .granted])
        #expect(apply(.requestAsked(.camera, check: 3, ask: 4)) == [.finish(4, .status(.granted))])
        #expect(apply(.requestAsked(.camera, check: 5, ask: 6)).last == .sendCheck(.camera, 5))
    }

    @Test mutating func aLateNoIsRememberedAndThePersonAskedAgain() {
        askPerson()
        apply(.timerFired(2))
        apply(.callbackArrived(nil, .denied))
        #expect(machine.known == [.camera: .denied])
        #expect(apply(.requestAsked(.camera, check: 3, ask: 4)).last == .sendCheck(.camera, 3))
    }

    @Test mutating func aLostLinkEndsEverythingThatIsOpen() {
        apply(.checkAsked(.microphone, 7))
        askPerson()
        let outcome = PermissionMachine.Outcome.refused(.connectionError, .noLink)
        #expect(
            apply(.linkLost(.noLink)) == [
                .cancel(7), .finish(7, outcome), .cancel(1), .cancel(2), .finish(2, outcome),
            ])
        #expect(apply(.answered(2, .granted)).isEmpty)
        #expect(machine.known.isEmpty)
    }

    @Test mutating func moreChecksThanAreHeldAreRefused() {
        for id in 0..<UInt64(PermissionMachine.maximumChecks) { apply(.checkAsked(.camera, id)) }
        #expect(apply(.checkAsked(.camera, 1000)) == [.finish(1000, .refused(.requestInProgress, .requestInProgress))])
    }
}

extension Refusal {
    fileprivate static let noCompanion = Refusal(.companion, "Nobody can be asked.", isRetryable: true)
}
