import CGlassesPlugin
import GlassesPluginKit
import MWDATCore
import MWDATDisplay
import Synchronization

/// The host's display on glasses that have one.
///
/// Each tree replaces the one before; while one is on its way a later one replaces what waits, so that the panel never lags behind.
final class GlassesDisplay: Sendable {
    /// Documented for the vendor's panel.
    static let description = {
        var panel = DisplayDescription(width: 600, height: 600)
        panel.input = .neuralBand
        return panel
    }()
    /// The host waits 2 s for a tree: what takes longer fails, and the display goes on starting.
    private static let startLimit: Duration = .milliseconds(1_800)

    private struct State {
        var display: Display?
        var waiting: (tree: PluginJSON?, request: PluginRequest)?
        var isWorking = false
    }

    private let sessions: SessionKeeper
    private let host: TransportHost
    private let isConnected: @Sendable () -> Bool
    private let state = Mutex(State())

    init(_ sessions: SessionKeeper, host: TransportHost, isConnected: @escaping @Sendable () -> Bool) {
        self.sessions = sessions
        self.host = host
        self.isConnected = isConnected
    }

    /// Shows a tree; nil blanks the panel.
    func show(_ tree: PluginJSON?, _ request: PluginRequest) throws(PluginFailure) {
        guard isConnected() else { throw .disconnected }
        let (replaced, isFree) = state.withLock { state in
            defer { (state.waiting, state.isWorking) = ((tree, request), true) }
            return (state.waiting?.request, !state.isWorking)
        }
        replaced?.complete()
        if isFree { Task { await work() } }
    }

    func release() {
        let display = state.withLock { state in
            defer { state.display = nil }
            return state.display
        }
        display?.stop()
    }

    private func work() async {
        while true {
            let next = state.withLock { state in
                defer { state.waiting = nil }
                if state.waiting == nil { state.isWorking = false }
                return state.waiting
            }
            guard let next else { return }
            do throws(PluginFailure) {
                try await put(next.tree)
                next.request.complete()
            } catch {
                next.request.fail(error)
            }
        }
    }

    private func put(_ tree: PluginJSON?) async throws(PluginFailure) {
        let display = try await started()
        do {
            guard let tree else { return try await display.clearDisplay() }
            switch TreeViews(select: { [host] in host.reportSelection($0) }).root(tree) {
            case .box(let view): try await display.send(view)
            case .video(let view): try await display.send(view)
            }
        } catch {
            if display.state != .started { release() }
            throw .failed(
                "display_failed", (error as? DisplayError)?.description ?? "The display shows nothing. Try again.")
        }
    }

    private func started() async throws(PluginFailure) -> Display {
        let end = ContinuousClock.now + Self.startLimit
        let display = try await current()
        if display.state == .started { return display }
        let answer = FirstAnswer<Bool?>()
        let token = display.statePublisher.listen { state in
            if state == .started { answer.resolve(true) }
            if state == .stopped { answer.resolve(false) }
        }
        // What came before the listener did.
        switch display.state {
        case .started: answer.resolve(true)
        case .stopped: answer.resolve(false)
        case .starting, .stopping: break
        }
        let isStarted = await answer.value(within: end - .now, late: nil)
        await token.cancel()
        switch isStarted {
        case true?: return display
        // The toolkit gives up after 5 s; until then the display may be there for a later tree.
        case nil: throw .stillStarting
        case false?:
            let reason = display.endReason
            release()
            throw reason.map { PluginFailure($0) } ?? .failed("display_failed", "The display did not start. Try again.")
        }
    }

    /// The display that starts or has started, or else a new one that has been asked to start.
    private func current() async throws(PluginFailure) -> Display {
        if let display = state.withLock({ $0.display }), display.state == .starting || display.state == .started {
            return display
        }
        let session = try await sessions.started(within: Self.startLimit)
        let display: Display
        do throws(DeviceSessionError) { display = try session.addDisplay() } catch {
            throw .unavailable("no_display", error.description)
        }
        state.withLock { $0.display = display }
        display.start()
        return display
    }
}

extension PluginFailure {
    fileprivate static let stillStarting = PluginFailure(
        GLASSES_ERROR_TIMEOUT, code: "display_starting",
        message: "The glasses' display is still starting. Try again in a moment.")
}
