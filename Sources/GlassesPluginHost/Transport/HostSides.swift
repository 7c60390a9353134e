import CGlassesPlugin

/// The host's sides of the extensions, each made only for an extension that there is: they are never freed.
struct HostSides {
    var camera: () -> UnsafePointer<glasses_camera_host>
    var display: () -> UnsafePointer<glasses_display_host>
    var registration: () -> UnsafePointer<glasses_registration_host>
    var power: () -> UnsafePointer<glasses_power_host>
    var input: () -> UnsafePointer<glasses_input_host>
}

extension TransportFunctions {
    /// Gives every extension that has one the host's side; the result of the first that refuses it. [host]
    func attach(_ sides: HostSides) -> glasses_result {
        let attachments: [() -> glasses_result?] = [
            { camera.map { $0.attach(table.instance, sides.camera()) } },
            { display.map { $0.attach(table.instance, sides.display()) } },
            { power.map { $0.attach(table.instance, sides.power()) } },
            { input.map { $0.attach(table.instance, sides.input()) } },
            { registration.map { $0.attach(table.instance, sides.registration()) } },
        ]
        for attach in attachments {
            if let result = attach(), result != GLASSES_OK { return result }
        }
        return glasses_result(GLASSES_OK)
    }
}
