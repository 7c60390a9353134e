import Foundation
import GlassesDomain
import MWDATCore

extension MockWorld {
    mutating func carryOutOnDisplay(_ command: LinkCommand, from client: MockClient) {
        switch command {
        case .startDisplay(let session): startDisplay(MockSessionKey(client: client, session: session))
        case .stopDisplay(let session):
            sessions[MockSessionKey(client: client, session: session)]?.display = nil
            deliver(client, .displayEnded(session, nil))
        case .showView(let session, let request, let tree):
            show(tree, request, MockSessionKey(client: client, session: session))
        case .clearDisplay(let session, let request):
            show(nil, request, MockSessionKey(client: client, session: session))
        case .stopPlayback(let session):
            endVideo(MockSessionKey(client: client, session: session), .stopped)
        default: return
        }
    }

    private mutating func startDisplay(_ key: MockSessionKey) {
        guard let session = sessions[key] else {
            return deliver(key.client, .displayEnded(key.session, .sessionClosed))
        }
        guard find(session.device)?.type.supportsDisplay == true else {
            return deliver(key.client, .displayEnded(key.session, .noDisplay))
        }
        if session.display == nil { sessions[key]?.display = SimulatedDisplay() }
        deliver(key.client, .displayStarted(key.session))
    }

    /// Shows a view, or nothing, instead of the last one.
    private mutating func show(_ tree: Data?, _ request: LinkRequest, _ key: MockSessionKey) {
        guard sessions[key]?.display != nil else {
            return deliver(key.client, .viewFailed(key.session, request, .displayNotStarted))
        }
        let view = tree.map(ShownView.init)
        guard view.map(\.isReadable) ?? true else {
            return deliver(key.client, .viewFailed(key.session, request, .viewUnreadable))
        }
        endVideo(key, .stopped)
        sessions[key]?.display = SimulatedDisplay(tree: tree, isPlaying: view?.isVideo ?? false)
        deliver(key.client, .viewShown(key.session, request))
        if view?.isVideo == true { deliver(key.client, .playback(key.session, .started)) }
    }

    mutating func endVideo(_ key: MockSessionKey, _ outcome: LinkPlayback) {
        guard sessions[key]?.display?.isPlaying == true else { return }
        sessions[key]?.display?.isPlaying = false
        deliver(key.client, .playback(key.session, outcome))
    }

    /// The wearer chose an element of the shown view.
    mutating func click(_ element: String, on identifier: DeviceIdentifier) {
        guard let key = find(identifier)?.session, let tree = sessions[key]?.display?.tree else {
            return note("A click on \(identifier) has no effect: nothing is shown.")
        }
        guard ShownView(tree).holds(element) else {
            return note("A click on \(identifier) has no effect: the shown view has no element \(element).")
        }
        deliver(key.client, .viewTapped(key.session, element: element))
    }

    mutating func note(_ text: String) { actions.append(.note(text)) }
}
