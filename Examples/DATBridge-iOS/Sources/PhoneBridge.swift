import Foundation
import MWDATCore

/// The phone's end of the bridge: one connection from its greeting to its end.
///
/// ```swift
/// let bridge = PhoneBridge(wearables: Wearables.shared, socket: try NetworkSocket(host: "192.168.1.5", port: 7420), …)
/// try await bridge.run(.code(typed)) { pairing in keychain.keep(pairing) }
/// ```
actor PhoneBridge {
    /// How long the host may take for each answer of the greeting: 15 s.
    private static let greetingTime: UInt64 = 15_000_000_000

    private let wearables: any WearablesInterface
    private let socket: any BridgeSocket
    private let identity: PhoneIdentity
    private let hash: BridgeHash
    private let outbox = BridgeOutbox()
    private let tokens = ListenerTokenBag()
    private var watchedDevices: Set<DeviceIdentifier> = []
    private var decoder = BridgeDecoder()
    private var received: [BridgeMessage] = []
    private var sessions: [Int: PhoneSession] = [:]
    private var lastHeard = Date()

    init(wearables: any WearablesInterface, socket: any BridgeSocket, identity: PhoneIdentity, hash: BridgeHash) {
        self.wearables = wearables
        self.socket = socket
        self.identity = identity
        self.hash = hash
    }

    /// Greets and serves until the connection ends. Throws why it was not let in, or what ended it; returns when the
    /// host said farewell.
    func run(_ secret: PhoneSecret, paired: @Sendable (Pairing) -> Void) async throws {
        defer { finish() }
        let greeting = BridgeGreeting(identity: identity, hash: hash, secret: secret)
        let pairing = try await greeting.run { [self] message in try await exchange(message) }
        paired(pairing)
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await self.send() }
            group.addTask { await self.tellRegistration() }
            group.addTask { try await self.beat(every: pairing.heartbeat) }
            // Else the group would wait for what waits for the outbox, or for the socket.
            defer {
                group.cancelAll()
                outbox.finish()
                socket.close()
            }
            try await serve()
        }
    }

    /// Sends a part of the greeting; the host's answer, past what a later version may say besides.
    private func exchange(_ message: BridgeMessage) async throws -> BridgeMessage {
        try await socket.send(message.encoded())
        let patience = Task { [socket] in
            try await Task.sleep(nanoseconds: Self.greetingTime)
            socket.close()
        }
        defer { patience.cancel() }
        while let answer = try await next() {
            if ["challenge", "welcome", "refused"].contains(answer.kind) { return answer }
        }
        throw BridgeFault(description: "The host closed the connection, or did not answer.")
    }

    // MARK: Sending

    private func send() async throws {
        for await _ in outbox.wakeUps {
            while let message = outbox.next() { try await socket.send(message.encoded()) }
        }
    }

    private func beat(every heartbeat: Int) async throws {
        guard heartbeat > 0 else { return }
        while true {
            try await Task.sleep(nanoseconds: UInt64(heartbeat) * 1_000_000_000)
            let silence = Date().timeIntervalSince(lastHeard)
            if silence >= Double(3 * heartbeat) { return socket.close() }
            if silence >= Double(heartbeat) { outbox.put(BridgeMessage(kind: "ping")) }
        }
    }

    /// Section 5: first who answers, then the registration, then the devices; each again when it changes.
    private func tellRegistration() async {
        outbox.put(
            BridgeMessage(
                kind: "available", fields: ["name": .text(identity.name), "version": .text(identity.version)]))
        tell(wearables.registrationState, nil)
        tell(wearables.devices)
        async let devices: Void = {
            for await devices in wearables.devicesStream() { await tell(devices) }
        }()
        for await state in wearables.registrationStateStream() { tell(state, nil) }
        _ = await devices
    }

    private func tell(_ state: RegistrationState, _ refusal: PhoneRefusal?) {
        let name =
            switch state {
            case .unavailable: "unavailable"
            case .available: "available"
            case .registering: "registering"
            case .registered: "registered"
            }
        outbox.put(
            BridgeMessage(
                kind: "registration", fields: ["state": .text(name), "refusal": refusal.map(\.value) ?? .null]))
    }

    private func tell(_ identifiers: [DeviceIdentifier]) {
        let devices = identifiers.compactMap(wearables.deviceForIdentifier)
        outbox.put(BridgeMessage(kind: "devices", fields: ["devices": .list(devices.map(\.description))]))
        for device in devices where watchedDevices.insert(device.identifier).inserted {
            device.addDeviceStateListener { [outbox, weak device] _ in
                guard let device else { return }
                outbox.put(BridgeMessage(kind: "device", fields: ["device": device.description]))
            }.store(in: tokens)
        }
    }

    // MARK: Receiving

    private func next() async throws -> BridgeMessage? {
        while received.isEmpty {
            guard let bytes = try await socket.receive() else { return nil }
            received.append(contentsOf: try decoder.append(bytes))
        }
        lastHeard = Date()
        return received.removeFirst()
    }

    private func serve() async throws {
        while let message = try await next() {
            switch message.kind {
            case "ping": outbox.put(BridgeMessage(kind: "pong"))
            case "credit": outbox.grant(message.integer("frames") ?? 0)
            case "bye": return
            case "register", "unregister": register(message.kind == "register")
            case "permission.check", "permission.request": askPermission(message)
            case "update.open": openUpdate(message)
            case "session.open": await openSession(message)
            default: await passOn(message)
            }
        }
        throw BridgeFault(description: "The host closed the connection.")
    }

    private func register(_ isWanted: Bool) {
        Task { [wearables] in
            do {
                if isWanted {
                    try await wearables.startRegistration()
                } else {
                    try await wearables.startUnregistration()
                }
            } catch RegistrationError.alreadyRegistered {
                tell(.registered, nil)
            } catch let error as RegistrationError {
                tell(wearables.registrationState, PhoneRefusal(error))
            } catch {
                let refusal = PhoneRefusal(check: "companion", message: error.localizedDescription)
                tell(wearables.registrationState, refusal)
            }
        }
    }

    private func askPermission(_ command: BridgeMessage) {
        guard let request = command.integer("request"), let name = command.text("permission") else { return }
        let permission: Permission = name == "microphone" ? .microphone : .camera
        Task { [wearables, outbox] in
            do throws(PermissionError) {
                let status =
                    command.kind == "permission.check"
                    ? try await wearables.checkPermissionStatus(permission)
                    : try await wearables.requestPermission(permission)
                let text = if case .granted = status { "granted" } else { "denied" }
                outbox.put(
                    BridgeMessage(kind: "permission", fields: ["request": .integer(request), "status": .text(text)]))
            } catch {
                let fields: [String: BridgeValue] = [
                    "request": .integer(request), "refusal": PhoneRefusal(error).value,
                ]
                outbox.put(BridgeMessage(kind: "permission.failed", fields: fields))
            }
        }
    }

    private func openUpdate(_ command: BridgeMessage) {
        guard let request = command.integer("request") else { return }
        Task { [wearables, outbox] in
            var fields: [String: BridgeValue] = ["request": .integer(request)]
            do throws(NavigationError) {
                if command.text("update") == "firmware" {
                    try await wearables.openFirmwareUpdate()
                } else {
                    try await wearables.openDATGlassesAppUpdate()
                }
            } catch {
                fields["refusal"] = PhoneRefusal(check: "companion", message: error.localizedDescription).value
            }
            outbox.put(BridgeMessage(kind: "navigation", fields: fields))
        }
    }

    private func openSession(_ command: BridgeMessage) async {
        guard let number = command.integer("session"), let device = command.text("device") else { return }
        do throws(DeviceSessionError) {
            let session = try wearables.createSession(deviceSelector: SpecificDeviceSelector(device: device))
            let opened = PhoneSession(number, session, outbox)
            sessions[number] = opened
            await opened.start { [weak self] in await self?.forget(number) }
        } catch {
            let fields: [String: BridgeValue] = ["session": .integer(number), "refusal": PhoneRefusal(error).value]
            outbox.put(BridgeMessage(kind: "session.ended", fields: fields))
        }
    }

    private func forget(_ number: Int) { sessions[number] = nil }

    /// What belongs to a session; section 5.1: one that does not exist answers with a refusal.
    private func passOn(_ command: BridgeMessage) async {
        guard let number = command.integer("session") else { return }
        if let session = sessions[number] {
            if command.kind == "session.close" { return await session.close() }
            return await session.handle(command)
        }
        let answer: String? =
            switch command.kind {
            case "session.close": "session.ended"
            case "stream.start", "stream.stop", "stream.hold": "stream.ended"
            case "photo.capture": "photo.failed"
            case "display.start", "display.stop": "display.ended"
            case "view.show", "view.clear": "view.failed"
            default: nil
            }
        guard let answer else { return }
        var fields = command.fields.filter { ["session", "stream", "request"].contains($0.key) }
        fields["refusal"] = PhoneRefusal.gone.value
        outbox.put(BridgeMessage(kind: answer, fields: fields))
    }

    /// The glasses are to be free for the next connection.
    private func finish() {
        outbox.finish()
        socket.close()
        tokens.clear()
        let left = Array(sessions.values)
        sessions = [:]
        Task { for session in left { await session.close() } }
    }
}
