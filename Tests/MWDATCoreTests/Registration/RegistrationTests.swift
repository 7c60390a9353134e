import Foundation
import MWDATCore
import TestLink
import Testing

struct RegistrationTests {
    private func url(_ text: String) throws -> URL { try #require(URL(string: text)) }

    @Test func bothFormsOfStartRegistrationExist() async throws {
        func synchronously(_ wearables: any WearablesInterface) throws { try wearables.startRegistration() }
        let first = WearablesHub.test(TestLink(registration: .available))
        try synchronously(first)
        first.settle()
        #expect(first.registrationState == .registered)
        let second: any WearablesInterface = WearablesHub.test(TestLink(registration: .available))
        try await second.startRegistration()
        #expect(second.registrationState == .registered)
    }

    @Test func bothFormsOfStartUnregistrationExist() async throws {
        func synchronously(_ wearables: any WearablesInterface) throws { try wearables.startUnregistration() }
        let first = WearablesHub.test(TestLink())
        try synchronously(first)
        first.settle()
        #expect(first.registrationState == .available)
        #expect(throws: UnregistrationError.alreadyUnregistered) { try synchronously(first) }
        let second: any WearablesInterface = WearablesHub.test(TestLink())
        try await second.startUnregistration()
        await #expect(throws: UnregistrationError.alreadyUnregistered) { try await second.startUnregistration() }
    }

    @Test func aStartWhileRegisteredThrowsInBothForms() async {
        let hub = WearablesHub.test(TestLink())
        #expect(throws: RegistrationError.alreadyRegistered) { () throws in try hub.startRegistration() }
        await #expect(throws: RegistrationError.alreadyRegistered) { try await hub.startRegistration() }
    }

    @Test(arguments: [
        (Refusal.Check.network, RegistrationError.networkUnavailable), (.companion, .metaAINotInstalled),
        (.configuration, .configurationInvalid), (.transport, .metaAINotInstalled),
    ])
    func aStartWithoutALinkSaysWhatIsMissing(_ check: Refusal.Check, _ error: RegistrationError) async {
        let hub = WearablesHub.test(TestLink(greeting: [.unavailable(Refusal(check, "none", isRetryable: true))]))
        await #expect(throws: error) { try await hub.startRegistration() }
        #expect(hub.readiness().phase == .companionUnavailable)
    }

    @Test func everybodyWhoWaitsHearsTheSameEnd() async {
        let link = TestLink(registration: .available)
        link.answer { $0 == .register(Configuration.test.linkApp) ? [] : nil }
        let hub = WearablesHub.test(link)
        await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<5 { group.addTask { try await hub.startRegistration() } }
            while hub.registrationState != .registering { await Task.yield() }
            link.deliver(.registration(.registered, nil))
            // One that comes only now finds the app registered.
            while let result = await group.nextResult() {
                if case .failure(let error) = result { #expect(error as? RegistrationError == .alreadyRegistered) }
            }
        }
        hub.settle()
        #expect(link.commands == [.register(Configuration.test.linkApp)])
    }

    @Test func aLinkThatIsLostEndsARegistration() async {
        let link = TestLink(registration: .available)
        link.ignore { if case .register = $0 { true } else { false } }
        let hub = WearablesHub.test(link)
        let end = Task { try await hub.startRegistration() }
        while hub.registrationState != .registering { await Task.yield() }
        link.deliver(.unavailable(Refusal(.transport, "gone", isRetryable: true)))
        await #expect(throws: RegistrationError.metaAINotInstalled) { try await end.value }
    }

    @Test func aURLOfTheAppsOwnIsNotConsumed() async throws {
        let hub = WearablesHub.test(TestLink())
        #expect(try await hub.handleUrl(url("testapp://page")) == false)
    }

    @Test func aURLThatAnswersNothingThrows() async throws {
        let (registration, removal) = (
            try url("testapp://?metaWearablesAction=register&authorityKey=k"),
            try url("testapp://?metaWearablesAction=unregister")
        )
        let hub = WearablesHub.test(TestLink(registration: .available))
        await #expect(throws: WearablesHandleURLError.registrationError) { try await hub.handleUrl(registration) }
        await #expect(throws: WearablesHandleURLError.unregistrationError) { try await hub.handleUrl(removal) }
        #expect(hub.registrationState == .available)
    }

    @Test func theStreamOfStatesBeginsWithTheCurrentOneAndListenersHearOnlyChanges() async throws {
        let link = TestLink(registration: .available)
        let hub = WearablesHub.test(link)
        let heard = Log<RegistrationState>()
        let token = hub.addRegistrationStateListener { heard.append($0) }
        var states = hub.registrationStateStream().makeAsyncIterator()
        #expect(await states.next() == .available)
        try await hub.startRegistration()
        #expect(await states.next() == .registering)
        #expect(await states.next() == .registered)
        hub.settle()
        #expect(heard.all == [.registering, .registered])
        withExtendedLifetime(token) {}
    }

    @Test func anOfferOfTheLinkIsAcceptedOnce() async throws {
        let link = TestLink(registration: .available)
        link.answer { $0 == .answerRegistrationRequest(9, accepted: true) ? [.registration(.registered, nil)] : nil }
        let hub = WearablesHub.test(link)
        let offers = Log<RegistrationRequest>()
        let token = hub.addRegistrationRequestListener { offers.append($0) }
        link.deliver(.registrationRequested(9, appName: "Test app"))
        hub.settle()
        let offer = try #require(offers.all.first)
        try await offer.continueRegistration()
        #expect(hub.registrationState == .registered)
        #expect(link.commands == [.answerRegistrationRequest(9, accepted: true)])
        await #expect(throws: RegistrationRequestError.alreadyAnswered) { try await offer.cancelRegistration() }
        withExtendedLifetime(token) {}
    }

    @Test func anOfferThatIsDeclinedLeavesTheState() async throws {
        let link = TestLink(registration: .available)
        let hub = WearablesHub.test(link)
        let offers = Log<RegistrationRequest>()
        let token = hub.addRegistrationRequestListener { offers.append($0) }
        link.deliver(.registrationRequested(9, appName: "Test app"))
        hub.settle()
        try await offers.all.first?.cancelRegistration()
        hub.settle()
        #expect(hub.registrationState == .available)
        #expect(link.commands == [.answerRegistrationRequest(9, accepted: false)])
        withExtendedLifetime(token) {}
    }

    @Test func anOfferThatNobodyAnswersIsDeclinedAfterAMinute() async throws {
        let (link, clock) = (TestLink(registration: .available), ManualTimekeeper())
        let hub = WearablesHub.test(link, timekeeper: clock)
        let offers = Log<RegistrationRequest>()
        let token = hub.addRegistrationRequestListener { offers.append($0) }
        link.deliver(.registrationRequested(9, appName: "Test app"))
        clock.advance(by: .seconds(60))
        hub.settle()
        #expect(link.commands == [.answerRegistrationRequest(9, accepted: false)])
        let offer = try #require(offers.all.first)
        await #expect(throws: RegistrationRequestError.expired) { try await offer.continueRegistration() }
        withExtendedLifetime(token) {}
    }

    @Test func anOfferInAURLIsGivenToItsHandler() async throws {
        let link = TestLink(registration: .available)
        let hub = WearablesHub.test(link)
        let offers = Log<RegistrationRequest>()
        let address = try url("testapp://?metaWearablesAction=requestRegistration")
        #expect(try await hub.handleUrl(address, onRegistrationRequest: { offers.append($0) }))
        try await offers.all.first?.continueRegistration()
        #expect(hub.registrationState == .registered)
        hub.settle()
        #expect(link.commands.first == .openedURL(address.absoluteString))
    }

    @Test func moreOffersThanAreHeldAreDeclined() async throws {
        let link = TestLink(registration: .available)
        let hub = WearablesHub.test(link)
        let offers = Log<RegistrationRequest>()
        let address = try url("testapp://?metaWearablesAction=requestRegistration")
        for _ in 0..<8 { _ = try await hub.handleUrl(address, onRegistrationRequest: { offers.append($0) }) }
        await #expect(throws: WearablesHandleURLError.registrationError) { try await hub.handleUrl(address) }
        link.deliver(.registrationRequested(9, appName: "Test app"))
        hub.settle()
        #expect(link.commands.last == .answerRegistrationRequest(9, accepted: false))
        for offer in offers.all { try await offer.cancelRegistration() }
        #expect(try await hub.handleUrl(address))
    }

    @Test(arguments: [LinkUpdate.firmware, .glassesApp]) func aPageIsShownOrRefused(_ update: LinkUpdate) async throws {
        let link = TestLink()
        let hub = WearablesHub.test(link)
        func open() async throws {
            switch update {
            case .firmware: try await hub.openFirmwareUpdate()
            case .glassesApp: try await hub.openDATGlassesAppUpdate()
            }
        }
        try await open()
        link.answer {
            guard case .openUpdate(update, let request) = $0 else { return nil }
            return [.navigation(request, Refusal(.notFound, "There is no update.", isRetryable: false))]
        }
        await #expect(throws: NavigationError.metaAINotInstalled) { try await open() }
        #expect(hub.readiness().lastRefusals[.navigation]?.check == .notFound)
        link.deliver(.registration(.available, nil))
        await #expect(throws: NavigationError.notRegistered) { try await open() }
    }
}
