import Dispatch
import Foundation
import MWDATCore
import Synchronization

/// A link to one worn pair of glasses that does at once what it is asked, or nothing of it.
final class DisplayGlasses: WearablesLink {
    /// Which commands are not answered.
    struct Silence: OptionSet, Sendable {
        let rawValue: Int
        static let start = Silence(rawValue: 1)
        static let stop = Silence(rawValue: 2)
        static let views = Silence(rawValue: 4)
    }

    private let type: DeviceType
    private let silence: Silence
    private let queue = DispatchQueue(label: "display-glasses")
    private let state = Mutex((deliver: (@Sendable (LinkEvent) -> Void)?.none, commands: [LinkCommand]()))

    init(_ type: DeviceType = .metaRayBanDisplay, silence: Silence = []) {
        self.type = type
        self.silence = silence
    }

    var commands: [LinkCommand] { state.withLock { $0.commands } }

    func open(_ deliver: @escaping @Sendable (LinkEvent) -> Void) {
        state.withLock { $0.deliver = deliver }
        tell(.available(LinkPeer(name: "display glasses", version: "1")))
        tell(.registration(.registered, nil))
        let worn = DeviceState(
            linkState: .connected, compatibility: .compatible, donState: .donned, hingeState: .open)
        tell(.devices([LinkDevice(identifier: "glasses", name: "Glasses", type: type, state: worn)]))
    }

    func send(_ command: LinkCommand) {
        state.withLock { $0.commands.append(command) }
        switch command {
        case .openSession(let session, _, _): tell(.sessionStarted(session))
        case .closeSession(let session): tell(.sessionEnded(session, nil))
        case .startDisplay(let session) where !silence.contains(.start): tell(.displayStarted(session))
        case .stopDisplay(let session) where !silence.contains(.stop): tell(.displayEnded(session, nil))
        case .showView(let session, let request, _) where !silence.contains(.views): tell(.viewShown(session, request))
        case .clearDisplay(let session, let request) where !silence.contains(.views):
            tell(.viewShown(session, request))
        default: break
        }
    }

    func close() {
        state.withLock { $0.deliver = nil }
        queue.sync {}
    }

    func tell(_ event: LinkEvent) {
        queue.async { self.state.withLock { $0.deliver }?(event) }
    }
}
