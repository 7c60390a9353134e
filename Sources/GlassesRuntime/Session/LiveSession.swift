import Foundation
import GlassesAssistant
import GlassesDomain
import Synchronization

/// The session that apps hold: each call becomes an operation of the driver.
final class LiveSession: AssistantSession {
    let config: AssistantConfig
    let driver: SessionDriver
    private weak let client: AssistantDriver?

    init(config: AssistantConfig, ports: SessionDriver.Ports, seed: UInt64, client: AssistantDriver) {
        self.config = config
        self.client = client
        let box = WeakSession()
        driver = SessionDriver(config: config, ports: ports, seed: seed) { [weak client] in client?.release(box.session)
        }
        box.session = self
    }

    var state: any ObservableState<AssistantState> { driver.state }

    func start() async throws {
        if let error = config.problem { throw error }
        if let error = driver.settings.tools.registrationError { throw error }
        try claim()
        await driver.adopt(self)
        if driver.state.current == .idle { await driver.reportProblems() }
        try await perform(.start)
    }

    func wake() async throws {
        if driver.state.current != .idle { try claim() }
        try await perform(.wake)
    }

    func sleep() async throws { try await perform(.sleep) }

    func stop() async {
        _ = await driver.perform(.stop)
        await driver.settleMemory()
        giveBackSlotIfStopped()
    }

    func say(_ text: String) async throws { try await perform(.say(text: text)) }

    func say(_ text: String, interruptible: Bool) async throws {
        try await perform(.say(text: text, isProtected: !interruptible))
    }

    func beginTurn() async throws { try await perform(.beginTurn) }

    func endTurn() async throws { try await perform(.endTurn) }

    func cancelTurn() async { _ = await driver.perform(.cancelTurn) }

    func greet(_ prompt: String?) async throws { try await perform(.greet(directive: prompt)) }

    func sendText(_ text: String) async throws { try await perform(.sendText(text: text)) }

    func includeImage(uri: String, prompt: String?) async throws {
        try await perform(.includePicture(prompt: prompt), picture: .uri(uri))
    }

    /// What the frame is, its bytes say.
    func sendVideoFrame(_ jpegBytes: Data, mimeType: String) async throws {
        try await perform(.sendFrame, picture: .frame(jpegBytes))
    }

    func updateInstructions(_ instructions: String) async throws {
        try Self.check(await driver.choose(\.instructions, instructions))
    }

    func setReasoningEffort(_ effort: ReasoningEffort) async throws {
        try Self.check(await driver.choose(\.effort, effort))
    }

    func setVoice(_ voice: String) async throws {
        try Self.check(await driver.choose(\.voice, voice, needsConnection: true))
    }

    func setModel(_ model: String) async throws {
        try Self.check(await driver.choose(\.model, model, needsConnection: true))
        driver.model.withLock { $0 = model }
    }

    private static func check(_ outcome: OperationOutcome) throws(AssistantError) {
        if case .failed(let failure) = outcome { throw failure.assistantError }
    }

    var modelSupportsVideoInput: Bool { assistantModelSupportsVideo(driver.model.withLock { $0 }) }

    func cancelSpeak() async { _ = await driver.perform(.cancelSpeak) }

    func audioLevels() -> AsyncStream<Float> { driver.levels.subscribe() }

    func conversationHistory(limit: Int) -> [Turn] { driver.history.newest(limit) }

    func clearHistory() {
        driver.history.edit { $0 = [] }
        driver.postEdit(.historyCleared)
    }

    func appendHistory(_ turn: Turn) {
        driver.history.edit { $0.append(turn) }
        driver.postEdit(.turnAppended(turn))
    }

    func replaceHistory(_ turns: [Turn]) {
        driver.history.edit { $0 = turns }
        driver.postEdit(.historyReplaced(turns))
    }

    /// A session that has ended takes no slot: its calls answer `sessionEnded`.
    private func claim() throws(AssistantError) {
        switch driver.state.current {
        case .stopping, .stopped: return
        case .idle, .dormant, .activating, .active, .reconnecting, .sleeping: try client?.claim(self)
        }
    }

    private func perform(
        _ operation: SessionOperation, picture: PictureSource? = nil
    ) async throws(AssistantError) {
        let outcome = await driver.perform(operation, picture: picture)
        giveBackSlotIfStopped()
        try Self.check(outcome)
    }

    /// A stop may overtake a call between its look at the state and its claim; the slot that it took then has no other way back.
    private func giveBackSlotIfStopped() {
        if driver.state.current == .stopped { client?.release(self) }
    }
}

/// Breaks the circle between a session and its driver.
private final class WeakSession: @unchecked Sendable {
    // because it is written once, before the driver's first action can read it.
    weak var session: LiveSession?
}
