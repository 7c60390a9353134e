import CMicrohttpd

/// The library's calls, each handed to the daemon that its context names.
enum DaemonCallbacks {
    private static func daemon(_ context: UnsafeMutableRawPointer?) -> HTTPDaemon? {
        context.map { Unmanaged<HTTPDaemon>.fromOpaque($0).takeUnretainedValue() }
    }

    static let access: MHD_AccessHandlerCallback = { context, handle, _, method, version, data, count, _ in
        guard let daemon = daemon(context), let handle, let count else { return .NO }
        let body = UnsafeRawBufferPointer(start: data, count: data == nil ? 0 : count.pointee)
        let goesOn = daemon.access(handle, method: method, version: version, body: body, count: count)
        return goesOn ? .YES : .NO
    }

    static let completed: MHD_RequestCompletedCallback = { context, handle, _, _ in
        guard let handle else { return }
        daemon(context)?.completed(handle)
    }

    static let connection: MHD_NotifyConnectionCallback = { context, handle, slot, event in
        guard let daemon = daemon(context), let handle, let slot else { return }
        switch event {
        case .CONNECTION_NOTIFY_STARTED: slot.pointee = daemon.started(handle)
        default:
            daemon.closed(slot.pointee)
            slot.pointee = nil
        }
    }

    static let target:
        @convention(c) (UnsafeMutableRawPointer?, UnsafePointer<CChar>?, OpaquePointer?) -> UnsafeMutableRawPointer? = {
            context, uri, handle in
            if let handle { daemon(context)?.targetCame(handle, uri) }
            return nil
        }

    static let log: @convention(c) (UnsafeMutableRawPointer?, UnsafePointer<CChar>) -> Void = { context, line in
        daemon(context)?.log(String(cString: line))
    }

    static let upgraded: MHD_UpgradeHandler = { context, handle, _, early, count, socket, upgradeHandle in
        guard let handle, let upgradeHandle else { return }
        let bytes = Array(UnsafeRawBufferPointer(start: early, count: early == nil ? 0 : count))
        daemon(context)?.upgraded(handle, socket, bytes, upgradeHandle)
    }
}
