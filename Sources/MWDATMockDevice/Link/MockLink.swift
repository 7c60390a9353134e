import MWDATCore
import Synchronization

/// A way into the simulated world of this process.
final class MockLink: WearablesLink {
    private let stage: MockStage
    private let client = Mutex<MockClient?>(nil)

    init(stage: MockStage) { self.stage = stage }

    func open(_ deliver: @escaping @Sendable (LinkEvent) -> Void) {
        let joined = stage.join(deliver)
        client.withLock { $0 = joined }
        // An app that enables the kit may register with its next line: the toolkit must know its companion by then.
        stage.flush(joined)
    }

    func send(_ command: LinkCommand) {
        guard let client = client.withLock({ $0 }) else { return }
        stage.process(.commanded(client, command))
    }

    func close() {
        let left = client.withLock { client in
            defer { client = nil }
            return client
        }
        if let left { stage.leave(left) }
    }
}
