import GlassesDomain
import Synchronization

/// Tells the app what its device reports of itself: its condition, what in it is alarming, and the wearer's gestures.
final class DeviceReports: Sendable {
    private let events: EventLog
    private let alerts = Mutex(HardwareAlerts())

    init(events: EventLog) { self.events = events }

    /// The device's condition changed.
    func powerChanged(_ power: DevicePower) {
        events.announce("device.power", power.payload)
        for alert in alerts.withLock({ $0.alerts(for: power) }) {
            events.log(.warn, "hardware.alert", alert.payload)
        }
    }

    /// The wearer made a gesture.
    func inputReceived(_ input: DeviceInput) { events.announce("device.input", input.payload) }

    /// The app's registration changed.
    func registrationChanged(_ state: DeviceRegistration, reason: String?) {
        var payload: [String: JSONValue] = ["state": .string(state.rawValue)]
        payload["reason"] = reason.map(JSONValue.string)
        events.announce("registration.changed", .object(payload))
    }
}

/// Which reports of a device's condition are news that somebody should hear: each step up of the heat, and each folding.
struct HardwareAlerts: Sendable, Equatable {
    private var severity: ThermalSeverity?
    private var isFolded = false

    /// What is new and alarming in `power`.
    mutating func alerts(for power: DevicePower) -> [HardwareAlert] {
        var alerts: [HardwareAlert] = []
        let now = power.thermal.flatMap(ThermalSeverity.init)
        if let now, now.rank > (severity?.rank ?? -1) { alerts.append(.thermalWarning(severity: now)) }
        severity = now
        if power.hinges == .closed, !isFolded { alerts.append(.hingesClosed) }
        isFolded = power.hinges == .closed
        return alerts
    }
}

extension ThermalSeverity {
    fileprivate var rank: Int { Self.allCases.firstIndex(of: self) ?? 0 }

    /// The severity of a level; nil for one that is no reason to worry.
    fileprivate init?(_ level: DevicePower.Thermal) {
        switch level {
        case .none: return nil
        case .light: self = .light
        case .moderate: self = .moderate
        case .severe: self = .severe
        case .critical, .emergency, .shutdown: self = .critical
        }
    }
}

extension HardwareAlert {
    fileprivate var payload: JSONValue {
        switch self {
        case .thermalWarning(let severity): ["alert": "thermal_warning", "severity": .string(severity.rawValue)]
        case .hingesClosed: ["alert": "hinges_closed"]
        }
    }
}

extension DevicePower {
    fileprivate var payload: JSONValue {
        var members: [String: JSONValue] = [:]
        members["battery"] = battery.map { .int(Int64($0)) }
        members["charging"] = charging.map { .string($0.rawValue) }
        members["thermal"] = thermal.map { .string($0.rawValue) }
        members["hinges"] = hinges.map { .string($0.rawValue) }
        members["worn"] = isWorn.map(JSONValue.bool)
        return .object(members)
    }
}

extension DeviceInput {
    fileprivate var payload: JSONValue {
        var members: [String: JSONValue] = ["gesture": .string(gesture.rawValue)]
        members["control"] = control.map(JSONValue.string)
        if isInferred { members["inferred"] = true }
        return .object(members)
    }
}
