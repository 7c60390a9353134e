import Foundation

// The values that several messages carry, as JSON and back.

extension Refusal {
    var json: LinkJSON {
        .object([
            "check": .string(check.rawValue), "message": .string(message), "retryable": .bool(isRetryable),
        ])
    }

    /// A check that this version does not know counts as one of the link.
    init(_ fields: LinkFields) throws(LinkCodecError) {
        self.init(
            try fields.choice("check", unknown: .transport), try fields.text("message"),
            isRetryable: try fields.flag("retryable"))
    }
}

extension LinkFields {
    func refusal() throws(LinkCodecError) -> Refusal { try Refusal(object("refusal")) }

    func optionalRefusal() throws(LinkCodecError) -> Refusal? {
        guard let fields = try optionalObject("refusal") else { return nil }
        return try Refusal(fields)
    }
}

extension LinkApp {
    var json: LinkJSON {
        .object([
            "identifier": .string(identifier), "name": .string(name), "version": .string(version),
            "callbackScheme": .string(callbackScheme),
        ])
    }

    init(_ fields: LinkFields) throws(LinkCodecError) {
        self.init(
            identifier: try fields.text("identifier"), name: try fields.text("name"),
            version: try fields.text("version"), callbackScheme: try fields.text("callbackScheme"))
    }
}

extension RegistrationState {
    init(_ fields: LinkFields) throws {
        let name = try fields.text("state")
        guard let state = Self.allCases.first(where: { $0.description == name }) else {
            throw LinkFields.UnknownValue()
        }
        self = state
    }
}

extension LinkDevice {
    var json: LinkJSON {
        .object([
            "identifier": .string(identifier), "name": .string(name), "type": .string(type.rawValue),
            "firmware": .string(firmware), "state": state.json,
        ])
    }

    init(_ fields: LinkFields) throws(LinkCodecError) {
        self.init(
            identifier: try fields.text("identifier"), name: try fields.optionalText("name"),
            type: try fields.choice("type", unknown: .unknown), firmware: try fields.optionalText("firmware"),
            state: try DeviceState(fields.object("state")))
    }
}

extension DeviceState {
    fileprivate var json: LinkJSON {
        .object([
            "link": .string(linkState.rawValue), "compatibility": .string(compatibility.rawValue),
            "battery": batteryLevel.map { .integer(Int64(min(max($0, 0), 100))) } ?? .null,
            "charging": .string(chargingState.rawValue),
            "worn": .string(donState.rawValue), "hinges": .string(hingeState.rawValue),
            "thermal": .string(thermalLevel.rawValue),
        ])
    }

    fileprivate init(_ fields: LinkFields) throws(LinkCodecError) {
        self.init(
            linkState: try fields.choice("link", unknown: .disconnected),
            compatibility: try fields.choice("compatibility", unknown: .undefined),
            batteryLevel: try fields.optionalInteger("battery", in: 0...100),
            chargingState: try fields.choice("charging", unknown: .unknown),
            donState: try fields.choice("worn", unknown: .unknown),
            hingeState: try fields.choice("hinges", unknown: .closed),
            thermalLevel: try fields.choice("thermal", unknown: .unknown))
    }
}
