/// Which check keeps a pair of glasses from carrying a session.
enum Eligibility {
    /// The first check that the glasses fail; nil when a session could be asked for. Glasses that are just being connected pass:
    /// a session's start waits for the link.
    static func refusal(of device: LinkDevice?) -> Refusal? {
        guard let device else { return .noSuchDevice }
        let name = device.name.isEmpty ? device.identifier : device.name
        switch device.state.compatibility {
        case .deviceUpdateRequired:
            return Refusal(
                .compatibility, "\(name) need an update: call openFirmwareUpdate(), or open the companion app.",
                isRetryable: false)
        case .sdkUpdateRequired:
            return Refusal(.sdkVersion, "This app is too old for \(name): update the app.", isRetryable: false)
        case .undefined, .compatible: break
        }
        guard device.state.linkState == .disconnected else { return nil }
        if device.state.hingeState == .closed {
            return Refusal(.hinges, "\(name) cannot be reached, and are folded: unfold them.", isRetryable: true)
        }
        return Refusal(
            .link, "\(name) cannot be reached: switch them on, and bring them near.", isRetryable: true)
    }

    /// The check that glasses fail for an automatic choice.
    static func refusal(ofAutomatic device: LinkDevice, requiresDonned: Bool) -> Refusal? {
        if let refusal = refusal(of: device) { return refusal }
        let name = device.name.isEmpty ? device.identifier : device.name
        if device.state.linkState == .connecting {
            return Refusal(.link, "\(name) are being connected: wait a moment.", isRetryable: true)
        }
        if requiresDonned && device.state.donState == .doffed {
            return Refusal(
                .worn, "\(name) are not worn: put them on, or choose them with a SpecificDeviceSelector.",
                isRetryable: true)
        }
        return nil
    }
}
