import Foundation
import MWDATCamera
import MWDATCore

// Values of the vendor's toolkit as section 5.3 has them.

extension Device {
    var description: BridgeValue {
        .object([
            "identifier": .text(identifier), "name": .text(name), "type": .text("\(deviceType())"),
            "state": .object([
                "link": .text("\(linkState)"), "compatibility": .text("\(compatibility())"),
                "battery": batteryLevel.map { .integer($0) } ?? .null, "charging": .text("\(chargingState)"),
                "worn": .text("\(donState)"), "hinges": .text("\(hingeState)"), "thermal": .text("\(thermalLevel)"),
            ]),
        ])
    }
}

/// Why something was refused or ended.
struct PhoneRefusal: Sendable {
    var check: String
    var message: String
    var isRetryable = true

    var value: BridgeValue {
        .object(["check": .text(check), "message": .text(message), "retryable": .flag(isRetryable)])
    }

    static let gone = PhoneRefusal(check: "notFound", message: "It has ended already. Start a new one.")
    static let noDisplay = PhoneRefusal(
        check: "sdkVersion", message: "The phone's app carries no display. Use its camera.", isRetryable: false)
    static let noAnswer = PhoneRefusal(check: "timeout", message: "The glasses did not answer in time. Try again.")
}

extension PhoneRefusal {
    init(_ error: DeviceSessionError) {
        let check =
            switch error {
            case .noEligibleDevice: "link"
            case .sessionAlreadyExists: "occupied"
            case .sessionAlreadyStopped, .capabilityNotFound: "notFound"
            case .thermalCritical, .thermalEmergency: "thermal"
            case .peakPowerShutdown: "peakPower"
            case .batteryCritical: "battery"
            case .datAppOnTheGlassesUpdateRequired: "glassesApp"
            case .insufficientSDKVersion: "sdkVersion"
            case .dwaOutOfStuRange: "compatibility"
            case .sessionIdle, .capabilityAlreadyActive, .unexpectedError: "endedByDevice"
            }
        self.init(check: check, message: error.localizedDescription)
    }

    init(_ error: StreamError) {
        let check =
            switch error {
            case .deviceNotFound: "notFound"
            case .deviceNotConnected: "link"
            case .timeout: "timeout"
            case .permissionDenied: "permission"
            case .hingesClosed: "hinges"
            case .thermalHot: "thermal"
            case .peakPowerLimit: "peakPower"
            case .batteryLow: "battery"
            case .internalError, .videoStreamingError, .audioStreamingError, .photoCaptureFailed: "media"
            }
        self.init(check: check, message: error.localizedDescription)
    }

    init(_ error: PermissionError) {
        let check =
            switch error {
            case .noDevice, .noDeviceWithConnection, .connectionError: "link"
            case .metaAINotInstalled: "companion"
            case .requestTimeout: "timeout"
            case .requestInProgress, .internalError: "permission"
            }
        self.init(check: check, message: error.localizedDescription)
    }

    init(_ error: RegistrationError) {
        let check =
            switch error {
            case .configurationInvalid: "configuration"
            case .networkUnavailable: "network"
            case .timeout: "timeout"
            case .alreadyRegistered, .metaAINotInstalled, .unknown: "companion"
            }
        self.init(check: check, message: error.localizedDescription)
    }
}
