import CGlassesPlugin

extension ExtensionTables {
    static let registration = SharedTable(
        glasses_registration(
            size: UInt32(MemoryLayout<glasses_registration>.size), reserved: 0,
            attach: { instance, table in
                bridged(instance) { (bridge: TransportBridge) throws(PluginFailure) in
                    guard let plugin = bridge.plugin as? any RegistrationPlugin else { throw .unsupported }
                    let side = RegistrationHost(table: table.pointee, gate: bridge.host.gate)
                    try bridge.host.registration.attach(side)
                    plugin.registrationAttached()
                }
            },
            register_app: { instance, id in
                requested(instance, id) { (plugin: any RegistrationPlugin, request) throws(PluginFailure) in
                    try plugin.registerApp(request)
                }
            },
            unregister_app: { instance, id in
                requested(instance, id) { (plugin: any RegistrationPlugin, request) throws(PluginFailure) in
                    try plugin.unregisterApp(request)
                }
            },
            check_permission: { instance, id, number in
                requested(instance, id) { (plugin: any RegistrationPlugin, request) throws(PluginFailure) in
                    try plugin.checkPermission(PermissionRequest(number, request))
                }
            },
            request_permission: { instance, id, number in
                requested(instance, id) { (plugin: any RegistrationPlugin, request) throws(PluginFailure) in
                    try plugin.requestPermission(PermissionRequest(number, request))
                }
            },
            handle_url: { instance, id, url in
                let text = String(cString: url)
                guard text.utf8.count <= Int(GLASSES_URL_MAX) else { return glasses_result(GLASSES_ERROR_TOO_LARGE) }
                return requested(instance, id) { (plugin: any RegistrationPlugin, request) throws(PluginFailure) in
                    let side = try request.host.registration.required()
                    try plugin.handleURL(OpenedURL(text, request: request, registration: side))
                }
            }))
}

extension PermissionRequest {
    fileprivate convenience init(
        _ number: glasses_permission, _ request: PluginRequest
    ) throws(PluginFailure) {
        self.init(
            try PluginPermission(c: number), request: request, registration: try request.host.registration.required())
    }
}
