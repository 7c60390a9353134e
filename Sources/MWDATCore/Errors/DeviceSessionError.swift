import Foundation

/// What goes wrong with a device session.
public enum DeviceSessionError: DatError, Equatable {
    /// No glasses can carry a session now; ``WearablesReadiness`` says which check each of them fails.
    case noEligibleDevice
    /// The session has ended; make another one.
    case sessionAlreadyStopped
    /// The glasses have a session that has not stopped.
    case sessionAlreadyExists
    /// The session has not started yet.
    case sessionIdle
    /// The session has a capability of that kind.
    case capabilityAlreadyActive
    /// The session has no such capability.
    case capabilityNotFound
    /// Anything else, in a sentence; ``DeviceSession/endReason`` has it in a form that a program can read.
    case unexpectedError(String)
    /// The glasses are very hot; the session goes on.
    case thermalCritical
    /// The glasses were too hot to go on.
    case thermalEmergency
    /// The glasses could not give the power.
    case peakPowerShutdown
    /// The glasses' battery is empty.
    case batteryCritical
    /// The app on the glasses is too old: offer `openDATGlassesAppUpdate()`.
    case datAppOnTheGlassesUpdateRequired
    /// This toolkit is too old for the glasses: the app has to ship with a newer one.
    case insufficientSDKVersion
    /// The glasses' software is outside of the range that was tested; the session goes on.
    case dwaOutOfStuRange

    /// A sentence for a person.
    public var description: String {
        switch self {
        case .noEligibleDevice: "No glasses are ready: switch them on, unfold them, put them on and bring them near."
        case .sessionAlreadyStopped: "The session has ended: make a new one."
        case .sessionAlreadyExists: "The glasses have a session already: stop it first, and wait until it has stopped."
        case .sessionIdle: "The session has not started: call start() and wait for the state `started`."
        case .capabilityAlreadyActive:
            "The session has this capability already: stop it, and wait until it has stopped."
        case .capabilityNotFound: "The session does not have this capability."
        case .unexpectedError(let text): text
        case .thermalCritical: "The glasses are very hot: let them cool down."
        case .thermalEmergency: "The session ended because the glasses were too hot: let them cool down."
        case .peakPowerShutdown: "The session ended because the glasses could not give the power: charge them."
        case .batteryCritical: "The session ended because the glasses' battery is empty: charge them."
        case .datAppOnTheGlassesUpdateRequired: "The app on the glasses is too old: update it in the companion app."
        case .insufficientSDKVersion: "This app is too old for the glasses: update the app."
        case .dwaOutOfStuRange: "The glasses' software was not tested with this app: update both when possible."
        }
    }

    /// The error that tells why a session ended.
    init(ended refusal: Refusal) {
        switch refusal.check {
        case .thermal: self = .thermalEmergency
        case .peakPower: self = .peakPowerShutdown
        case .battery: self = .batteryCritical
        case .glassesApp: self = .datAppOnTheGlassesUpdateRequired
        case .sdkVersion: self = .insufficientSDKVersion
        default: self = .unexpectedError(refusal.message)
        }
    }

    /// The error that tells what the wearer should know of a session that goes on.
    init(warned refusal: Refusal) {
        switch refusal.check {
        case .thermal: self = .thermalCritical
        case .compatibility, .glassesApp, .sdkVersion: self = .dwaOutOfStuRange
        default: self = .unexpectedError(refusal.message)
        }
    }
}
