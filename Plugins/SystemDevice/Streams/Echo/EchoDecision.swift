/// Whether the loudspeaker's echo is cancelled, and why.
package struct EchoDecision: Equatable, Sendable {
    /// What the app asks for.
    package enum Wish: String, CaseIterable, Sendable {
        case auto, on, off
    }

    /// Why it is on or off.
    package enum Reason: String, Sendable {
        /// On: the app says so.
        case asked
        /// On: the output may be a loudspeaker.
        case loudspeaker
        /// Off: the app says so.
        case notWanted
        /// Off: nothing is played, or nothing is heard.
        case oneWay
        /// Off: the output is on somebody's head.
        case headset
        /// Off: the library is not installed.
        case libraryMissing
    }

    /// What the app asks for.
    package var wish: Wish
    /// Why.
    package var reason: Reason

    /// Whether echo is cancelled.
    package var isOn: Bool { reason == .asked || reason == .loudspeaker }

    /// Decides for a microphone and a loudspeaker; `isHeadset` is what the app knows, nil for nothing.
    package init(wish: Wish, isHeadset: Bool?, microphone: StreamPort?, speaker: StreamPort?) {
        self.init(
            wish: wish, isHeadset: isHeadset, names: microphone == nil ? nil : speaker.map { OutputNames.of($0.device) }
        )
    }

    /// Decides for an output that goes by `names`; nil when audio goes one way only.
    init(wish: Wish, isHeadset: Bool?, names: [String]?) {
        self.wish = wish
        guard let names else {
            reason = .oneWay
            return
        }
        reason =
            switch wish {
            case .on: .asked
            case .off: .notWanted
            case .auto: isHeadset ?? OutputNames.tellOfHeadset(names) ? .headset : .loudspeaker
            }
    }
}
