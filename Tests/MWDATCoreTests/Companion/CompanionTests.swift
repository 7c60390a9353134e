import Foundation
import MWDATCore
import Synchronization
import TestLink
import Testing

struct CompanionTests {
    /// Answers every request the same way.
    private struct Answering: WearablesCompanion {
        let log = Log<CompanionRequest>()
        var answer: @Sendable (CompanionRequest) throws(Refusal) -> URL?

        func open(_ request: CompanionRequest) async throws(Refusal) -> URL? {
            log.append(request)
            return try answer(request)
        }
    }

    private func hub(_ registration: RegistrationState, _ companion: Answering) -> (WearablesHub, TestLink) {
        let link = TestLink(registration: registration)
        let hub = WearablesHub.test(link)
        hub.use(companion: companion)
        return (hub, link)
    }

    @Test func aCompanionThatAgreesRegistersAndTheLinkIsTold() async throws {
        let companion = Answering { (request) throws(Refusal) in request.agreed() }
        let (hub, link) = hub(.available, companion)
        try await hub.startRegistration()
        hub.settle()
        #expect(hub.registrationState == .registered)
        #expect(companion.log.all.map(\.question) == [.register])
        #expect(companion.log.all.first?.appName == "Test app")
        guard case .openedURL(let url) = link.commands.last else {
            Issue.record("the link does not know")
            return
        }
        #expect(url.hasPrefix("testapp://?metaWearablesAction=register"))
        #expect(!link.commands.contains { if case .register = $0 { true } else { false } })
    }

    @Test func aCompanionThatDeclinesLeavesTheAppUnregistered() async {
        let (hub, _) = hub(.available, Answering { (request) throws(Refusal) in request.declined() })
        await #expect(throws: RegistrationError.unknown) { try await hub.startRegistration() }
        #expect(hub.registrationState == .available)
    }

    @Test func aCompanionThatCannotAskSaysWhy() async {
        let offline = Refusal(.network, "offline", isRetryable: true)
        let (hub, _) = hub(.available, Answering { (_) throws(Refusal) in throw offline })
        await #expect(throws: RegistrationError.networkUnavailable) { try await hub.startRegistration() }
        #expect(hub.readiness().lastRefusals[.registration] == offline)
    }

    @Test func aCompanionThatComesBackWithAForeignURLIsARefusal() async {
        let (hub, _) = hub(
            .available, Answering { (_) throws(Refusal) in URL(string: "other://?metaWearablesAction=register") })
        await #expect(throws: RegistrationError.unknown) { try await hub.startRegistration() }
    }

    @Test func aRefusalOfAnEarlierQuestionDoesNotEndALaterOne() async throws {
        let (clock, gate) = (ManualTimekeeper(), Gate())
        let hub = WearablesHub.test(TestLink(registration: .available), timekeeper: clock)
        hub.use(companion: gate)
        try await start(hub, gate, asked: 1)
        clock.advance(by: .seconds(60))
        #expect(hub.registrationState == .available)
        try await start(hub, gate, asked: 2)
        gate.refuseFirst()
        while gate.refused == 0 { await Task.yield() }
        // Time for the refusal to do what it must not.
        for _ in 0..<100 { await Task.yield() }
        hub.settle()
        #expect(hub.registrationState == .registering)
    }

    private func start(_ hub: WearablesHub, _ gate: Gate, asked: Int) async throws {
        func synchronously() throws { try hub.startRegistration() }
        try synchronously()
        while gate.asked < asked { await Task.yield() }
    }

    @Test func aCompanionUnregistersTheApp() async throws {
        let (hub, _) = hub(.registered, Answering { (request) throws(Refusal) in request.agreed() })
        try await hub.startUnregistration()
        #expect(hub.registrationState == .available)
    }

    @Test(arguments: [true, false]) func aCompanionAnswersAPermission(agrees: Bool) async throws {
        let (hub, link) = hub(
            .registered, Answering { (request) throws(Refusal) in agrees ? request.agreed() : request.declined() })
        link.answer { if case .checkPermission(_, let id) = $0 { [.permission(id, .denied)] } else { nil } }
        #expect(try await hub.requestPermission(.camera) == (agrees ? .granted : .denied))
        #expect(hub.readiness().permissions == [.camera: agrees ? .granted : .denied])
    }

    @Test func aCompanionWhoseAnswerComesByHandleUrlIsWaitedFor() async throws {
        let companion = Answering { (_) throws(Refusal) in nil }
        let (hub, _) = hub(.available, companion)
        let registering = Task { try await hub.startRegistration() }
        while companion.log.all.isEmpty { await Task.yield() }
        let url = try #require(companion.log.all.first?.agreed())
        #expect(try await hub.handleUrl(url))
        try await registering.value
        #expect(hub.registrationState == .registered)
    }

    @Test func aCompanionShowsAPage() async throws {
        let companion = Answering { (_) throws(Refusal) in nil }
        let (hub, _) = hub(.registered, companion)
        try await hub.openFirmwareUpdate()
        try await hub.openDATGlassesAppUpdate()
        #expect(companion.log.all.map(\.question) == [.firmwareUpdate, .glassesAppUpdate])
    }

    @Test(arguments: [
        ("y\n", CompanionRequest.Question.register, true), ("YES\n", .permission(.camera), true),
        ("n\n", .register, false), ("maybe\nno\n", .permission(.microphone), false), ("\n\n y \n", .unregister, true),
    ])
    func aTerminalAsksUntilItIsAnswered(_ typed: String, _ question: CompanionRequest.Question, _ agrees: Bool)
        async throws
    {
        let (input, output) = (Pipe(), Pipe())
        let companion = TerminalCompanion(input: input.fileHandleForReading, output: output.fileHandleForWriting)
        let request = CompanionRequest(question: question, appName: "My\u{1b}[2J app", callbackScheme: "myapp://")
        try input.fileHandleForWriting.write(contentsOf: Data(typed.utf8))
        let url = try #require(try await companion.open(request))
        // A registration's answer has a new key each time.
        #expect(url.absoluteString.contains("authorityKey") == (agrees && question == .register))
        if question != .register { #expect(url == (agrees ? request.agreed() : request.declined())) }
        try output.fileHandleForWriting.close()
        let shown = String(decoding: try output.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
        #expect(shown.contains("[y/n]"))
        #expect(!shown.contains("\u{1b}"))
    }

    @Test func aTerminalWhoseInputEndsRefuses() async throws {
        let (input, output) = (Pipe(), Pipe())
        let companion = TerminalCompanion(input: input.fileHandleForReading, output: output.fileHandleForWriting)
        try input.fileHandleForWriting.close()
        let request = CompanionRequest(question: .register, appName: "A", callbackScheme: "a://")
        let refusal = await #expect(throws: Refusal.self) { try await companion.open(request) }
        #expect(refusal?.check == .companion)
    }

    @Test func aTerminalShowsAPageAndDoesNotAsk() async throws {
        let (input, output) = (Pipe(), Pipe())
        let companion = TerminalCompanion(input: input.fileHandleForReading, output: output.fileHandleForWriting)
        let request = CompanionRequest(question: .firmwareUpdate, appName: "A", callbackScheme: "a://")
        #expect(try await companion.open(request) == nil)
    }
}

/// Keeps the first question open until it is told to refuse it; the others stay open.
private final class Gate: WearablesCompanion {
    private struct State {
        var asked = 0
        var refused = 0
        var first: CheckedContinuation<Void, Never>?
    }

    private let state = Mutex(State())

    var asked: Int { state.withLock { $0.asked } }
    var refused: Int { state.withLock { $0.refused } }

    func refuseFirst() {
        let first = state.withLock { state in
            defer { state.first = nil }
            return state.first
        }
        first?.resume()
    }

    func open(_ request: CompanionRequest) async throws(Refusal) -> URL? {
        guard asked == 0 else {
            state.withLock { $0.asked += 1 }
            return nil
        }
        await withCheckedContinuation { continuation in
            state.withLock { state in
                state.asked += 1
                state.first = continuation
            }
        }
        state.withLock { $0.refused += 1 }
        throw Refusal(.companion, "too late", isRetryable: true)
    }
}
