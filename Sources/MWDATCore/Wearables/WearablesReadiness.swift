/// Whether a session could be started now, and what is missing: a snapshot.
public struct WearablesReadiness: Sendable, Equatable {
    /// How far the app is on its way to glasses.
    public enum Phase: String, CaseIterable, Sendable, CustomStringConvertible {
        /// `Wearables.configure()` was not called, or refused.
        case notConfigured
        /// Nothing answers: no companion, no link.
        case companionUnavailable
        /// The app is not registered.
        case notRegistered
        /// The person is being asked to register the app.
        case waitingForApproval
        /// The app is registered, and no glasses are known yet.
        case waitingForDevices
        /// Glasses are known, and none can carry a session.
        case waitingForEligibleDevice
        /// A session can be made.
        case ready

        /// The case's name.
        public var description: String { rawValue }
    }

    /// A pair of glasses, and which checks it fails.
    public struct DeviceReadiness: Sendable, Equatable {
        /// The glasses.
        public let identifier: DeviceIdentifier
        /// What their owner calls them; may be empty.
        public let name: String
        /// Why no session can be asked of them; nil when one can.
        public let refusal: Refusal?
        /// Why an ``AutoDeviceSelector`` does not choose them; nil when it does.
        public let automaticRefusal: Refusal?
        /// Whether a session of this process has them. One that nobody knows of any more can be taken over.
        public let hasSession: Bool
    }

    /// How far the app is.
    public let phase: Phase
    /// Keys of the configuration that are missing or wrong.
    public let configurationProblems: [ConfigurationProblem]
    /// Who answers at the other end, and its version; nil when nobody does.
    public let companion: String?
    /// Why nobody does.
    public let companionRefusal: Refusal?
    /// How far the registration is.
    public let registration: RegistrationState
    /// What is known of permissions; those that were never asked about are missing.
    public let permissions: [Permission: PermissionStatus]
    /// All paired glasses, also while the app is not registered.
    public let devices: [DeviceReadiness]
    /// Why the last call of each kind was refused or ended; a later success removes it.
    public let lastRefusals: [WearablesOperation: Refusal]

    /// Whether a session can be made.
    public var isReady: Bool { phase == .ready }

    static func notConfigured(_ problems: [ConfigurationProblem]) -> WearablesReadiness {
        WearablesReadiness(
            phase: .notConfigured, configurationProblems: problems, companion: nil, companionRefusal: nil,
            registration: .unavailable, permissions: [:], devices: [], lastRefusals: [:])
    }
}

extension WearablesHub {
    /// Whether a session could be started now, and what is missing.
    package func readiness() -> WearablesReadiness {
        change { state in
            state.forgetAbandonedSessions()
            let devices = state.roster.records.map { record in
                WearablesReadiness.DeviceReadiness(
                    identifier: record.identifier, name: record.name, refusal: Eligibility.refusal(of: record),
                    automaticRefusal: Eligibility.refusal(ofAutomatic: record, requiresDonned: true),
                    hasSession: state.sessions.values.contains { $0.device == record.identifier })
            }
            return WearablesReadiness(
                phase: Self.phase(state, devices), configurationProblems: state.problems,
                companion: state.peer.map { "\($0.name) \($0.version)" }, companionRefusal: state.linkRefusal,
                registration: state.registration.state, permissions: state.permissions.known, devices: devices,
                lastRefusals: state.lastRefusals)
        }
    }

    private static func phase(
        _ state: HubState, _ devices: [WearablesReadiness.DeviceReadiness]
    ) -> WearablesReadiness.Phase {
        guard state.linkRefusal == nil else { return .companionUnavailable }
        switch state.registration.state {
        case .unavailable, .available: return .notRegistered
        case .registering: return .waitingForApproval
        case .registered:
            if devices.isEmpty { return .waitingForDevices }
            return devices.contains { $0.automaticRefusal == nil } ? .ready : .waitingForEligibleDevice
        }
    }
}
