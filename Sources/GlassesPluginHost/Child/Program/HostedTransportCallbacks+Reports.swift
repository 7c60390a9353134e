import CGlassesPlugin

extension HostedTransportCallbacks {
    /// The host's sides of the instance's extensions.
    var sides: HostSides {
        HostSides(
            camera: { [self] in cameraTable() }, display: { [self] in displayTable() },
            registration: { [self] in registrationTable() }, power: { [self] in powerTable() },
            input: { [self] in inputTable() })
    }

    /// As ``table()``.
    private func registrationTable() -> UnsafePointer<glasses_registration_host> {
        let table = UnsafeMutablePointer<glasses_registration_host>.allocate(capacity: 1)
        table.initialize(
            to: glasses_registration_host(
                size: UInt32(MemoryLayout<glasses_registration_host>.size), reserved: 0,
                ctx: Unmanaged.passRetained(self).toOpaque(),
                on_registration: { context, state, detail in
                    HostedTransportCallbacks.of(context)?.outbox.send(
                        .registration(state, detail: detail.map { CText($0) }))
                },
                on_permission: { context, request, isGranted in
                    HostedTransportCallbacks.of(context)?.outbox.send(.permission(request: request, isGranted))
                },
                on_url: { context, request, isHandled in
                    HostedTransportCallbacks.of(context)?.outbox.send(.urlAnswered(request: request, isHandled))
                }))
        return UnsafePointer(table)
    }

    /// As ``table()``.
    private func powerTable() -> UnsafePointer<glasses_power_host> {
        let table = UnsafeMutablePointer<glasses_power_host>.allocate(capacity: 1)
        table.initialize(
            to: glasses_power_host(
                size: UInt32(MemoryLayout<glasses_power_host>.size), reserved: 0,
                ctx: Unmanaged.passRetained(self).toOpaque(),
                on_power: { context, power in
                    HostedTransportCallbacks.of(context)?.outbox.sendIfPossible(.power(CText(power)))
                }))
        return UnsafePointer(table)
    }

    /// As ``table()``.
    private func inputTable() -> UnsafePointer<glasses_input_host> {
        let table = UnsafeMutablePointer<glasses_input_host>.allocate(capacity: 1)
        table.initialize(
            to: glasses_input_host(
                size: UInt32(MemoryLayout<glasses_input_host>.size), reserved: 0,
                ctx: Unmanaged.passRetained(self).toOpaque(),
                on_input: { context, gesture, time, detail in
                    HostedTransportCallbacks.of(context)?.outbox.sendIfPossible(
                        .input(gesture, time: time, detail: detail.map { CText($0) }))
                }))
        return UnsafePointer(table)
    }
}
