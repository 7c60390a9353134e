import GlassesPluginKit
import MWDATCore

extension PluginDevice {
    static let vendorToken = "meta"

    /// What stands for glasses that are not known yet.
    static let unknownGlasses = PluginDevice(id: "meta", modelName: "Meta glasses", vendor: vendorToken)

    init(_ device: Device) {
        let (type, model) = device.deviceType().onHost
        self.init(
            id: device.identifier, modelName: device.nameOrId(), deviceType: type, vendor: Self.vendorToken,
            modelId: model)
    }
}

extension DeviceType {
    /// The host's token for the kind of device, and the model's id on the wire.
    fileprivate var onHost: (type: String, model: String?) {
        switch self {
        case .rayBanMeta: ("metaRayban", "rayban_meta")
        case .metaRayBanDisplay: ("metaRaybanDisplay", "rayban_display")
        case .oakleyMetaHSTN: ("oakleyMetaHstn", "oakley_meta_hstn")
        case .oakleyMetaVanguard: ("oakleyMetaVanguard", "oakley_meta_vanguard")
        case .rayBanMetaOptics: ("raybanMetaOptics", "rayban_meta_optics")
        case .metaGlasses: ("metaGlasses", "meta_glasses")
        case .unknown: ("unknown", nil)
        }
    }
}

extension PowerReport {
    /// What glasses report of themselves now.
    init(_ device: Device) {
        self.init()
        battery = device.batteryLevel
        charging = device.chargingState.onHost
        thermal = device.thermalLevel.onHost
        hinges = device.hingeState == .closed ? .closed : .open
        isWorn = device.donState == .unknown ? nil : device.donState == .donned
    }
}

extension ChargingState {
    fileprivate var onHost: PowerReport.Charging? {
        switch self {
        case .unknown: nil
        case .charging: .charging
        case .notCharging: .notCharging
        case .full: .full
        }
    }
}

extension ThermalLevel {
    fileprivate var onHost: PowerReport.Thermal? {
        switch self {
        case .unknown: nil
        case .none: PowerReport.Thermal.none
        case .light: .light
        case .moderate: .moderate
        case .severe: .severe
        case .critical: .critical
        case .emergency: .emergency
        case .shutdown: .shutdown
        }
    }
}
