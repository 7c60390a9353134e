import CGlassesPlugin
import GlassesDomain

extension TransportCallbacks {
    private static let onRegistration = "glasses_registration_host.on_registration"
    private static let onPermission = "glasses_registration_host.on_permission"
    private static let onURL = "glasses_registration_host.on_url"
    private static let onPower = "glasses_power_host.on_power"
    private static let onInput = "glasses_input_host.on_input"

    /// As ``makeTable(context:)``, for the registration of the same instance.
    static func makeRegistrationTable(context: UInt) -> UnsafePointer<glasses_registration_host> {
        let table = UnsafeMutablePointer<glasses_registration_host>.allocate(capacity: 1)
        table.initialize(
            to: glasses_registration_host(
                size: UInt32(MemoryLayout<glasses_registration_host>.size), reserved: 0,
                ctx: UnsafeMutableRawPointer(bitPattern: context),
                on_registration: { context, state, detail in
                    TransportCallbacks.registry.find(context, function: TransportCallbacks.onRegistration)?
                        .registrationChanged(state, detail.map { CText($0) })
                },
                on_permission: { context, request, isGranted in
                    TransportCallbacks.registry.find(context, function: TransportCallbacks.onPermission)?
                        .permissionAnswered(request, isGranted)
                },
                on_url: { context, request, isHandled in
                    TransportCallbacks.registry.find(context, function: TransportCallbacks.onURL)?
                        .urlAnswered(request, isHandled)
                }))
        return UnsafePointer(table)
    }

    /// As ``makeTable(context:)``, for the condition of the same device.
    static func makePowerTable(context: UInt) -> UnsafePointer<glasses_power_host> {
        let table = UnsafeMutablePointer<glasses_power_host>.allocate(capacity: 1)
        table.initialize(
            to: glasses_power_host(
                size: UInt32(MemoryLayout<glasses_power_host>.size), reserved: 0,
                ctx: UnsafeMutableRawPointer(bitPattern: context),
                on_power: { context, power in
                    TransportCallbacks.registry.find(context, function: TransportCallbacks.onPower)?
                        .powerChanged(CText(power))
                }))
        return UnsafePointer(table)
    }

    /// As ``makeTable(context:)``, for the gestures on the same device.
    static func makeInputTable(context: UInt) -> UnsafePointer<glasses_input_host> {
        let table = UnsafeMutablePointer<glasses_input_host>.allocate(capacity: 1)
        table.initialize(
            to: glasses_input_host(
                size: UInt32(MemoryLayout<glasses_input_host>.size), reserved: 0,
                ctx: UnsafeMutableRawPointer(bitPattern: context),
                on_input: { context, gesture, time, detail in
                    TransportCallbacks.registry.find(context, function: TransportCallbacks.onInput)?
                        .inputReceived(gesture, time, detail.map { CText($0) })
                }))
        return UnsafePointer(table)
    }

    func registrationChanged(_ state: glasses_registration_state, _ detail: CText?) {
        let detail = monitor.object(detail, in: Self.onRegistration)
        guard let known = DeviceRegistration(c: state) else {
            monitor.report(.unknownValue(Int(state)), in: Self.onRegistration)
            return
        }
        deliver(.registration(known, reason: detail?["message"]?.stringValue))
    }

    func permissionAnswered(_ request: glasses_request_id, _ isGranted: Int32) {
        answered(request, isGranted, in: Self.onPermission)
    }

    func urlAnswered(_ request: glasses_request_id, _ isHandled: Int32) {
        answered(request, isHandled, in: Self.onURL)
    }

    private func answered(_ request: glasses_request_id, _ answer: Int32, in function: String) {
        guard answer == 0 || answer == 1 else {
            monitor.report(.unknownValue(Int(answer)), in: function)
            return
        }
        deliver(.answered(request, answer == 1, function: function))
    }

    func powerChanged(_ power: CText) {
        guard let json = monitor.object(power, in: Self.onPower) else { return }
        do throws(WrongFact) { deliver(.power(try DevicePower(json: json))) } catch {
            monitor.report(.wrongFacts(member: error.member), in: Self.onPower)
        }
    }

    func inputReceived(_ gesture: glasses_gesture, _ time: Int64, _ detail: CText?) {
        let detail = monitor.object(detail, in: Self.onInput)
        guard let known = DeviceInput.Gesture(c: gesture) else {
            monitor.report(.unknownValue(Int(gesture)), in: Self.onInput)
            return
        }
        deliver(
            .input(
                DeviceInput(
                    known, time: time > 0 ? MonotonicTime(nanoseconds: time) : nil,
                    control: detail?["control"]?.stringValue, isInferred: detail?["inferred"]?.boolValue ?? false)))
    }
}
