import Dispatch

/// Glasses, as an app looks at them.
extension WearablesHub {
    package var devices: [DeviceIdentifier] { change { $0.visibleDevices } }

    package func addDevicesListener(
        _ listener: @escaping @Sendable ([DeviceIdentifier]) -> Void
    ) -> any AnyListenerToken { deviceListeners.listen(listener) }

    package func devicesStream() -> AsyncStream<[DeviceIdentifier]> { deviceStreams.stream() }

    package func deviceForIdentifier(_ identifier: DeviceIdentifier) -> Device? {
        change { state in
            state.visibleDevices.contains(identifier) ? state.roster.device(identifier) : nil
        }
    }

    package func deviceStateStream(for identifier: DeviceIdentifier) -> AsyncStream<DeviceState> {
        deviceForIdentifier(identifier)?.stateStream() ?? AsyncStream { $0.finish() }
    }

    package func addDeviceSessionStateListener(
        forDeviceId identifier: DeviceIdentifier, listener: @escaping @Sendable (SessionState) -> Void
    ) async -> any AnyListenerToken { sessionStates(of: identifier).listeners.listen(listener) }

    package func deviceSessionStateStream(for identifier: DeviceIdentifier) -> AsyncStream<SessionState> {
        sessionStates(of: identifier).streams.stream()
    }

    private func sessionStates(of identifier: DeviceIdentifier) -> SessionStateSource {
        change { state in
            if let source = state.sessionStates[identifier] { return source }
            let session = state.sessions.values.first { $0.device == identifier }
            let source = SessionStateSource(
                SessionState(session?.machine.state ?? .stopped), on: announcements, rule: tokenRule)
            state.sessionStates[identifier] = source
            return source
        }
    }
}

extension WearablesHub {
    /// The app went to the background, or came back.
    package func setAppInBackground(_ isInBackground: Bool) {
        change { state in
            guard state.isInBackground != isInBackground else { return }
            state.isInBackground = isInBackground
            for entry in state.sessions.values {
                for capability in entry.capabilities.values {
                    work.async { capability.appMoved(inBackground: isInBackground) }
                }
            }
        }
    }

    /// Whether the app is in the background.
    package var isAppInBackground: Bool { change { $0.isInBackground } }
}
