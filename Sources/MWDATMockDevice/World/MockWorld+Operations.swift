import GlassesDomain
import MWDATCore

extension MockWorld {
    mutating func operate(_ operation: MockOperation, at now: MonotonicTime) {
        switch operation {
        case .enabled(let isRegistered, let hasPermissions):
            enable(isRegistered: isRegistered, hasPermissions: hasPermissions)
        case .disabled: disable()
        case .paired(let identifier, let type, let name):
            guard isEnabled, find(identifier) == nil else { return }
            glasses.append(SimulatedGlasses(identifier: identifier, type: type, name: name))
        case .unpaired(let identifier):
            endSession(on: identifier, .unpaired)
            glasses.removeAll { $0.identifier == identifier }
        case .device(let identifier, let operation):
            guard find(identifier) != nil else { return note("There are no glasses \(identifier).") }
            operate(operation, on: identifier, at: now)
        case .permissionSet(let permission, let status): set(permission, status)
        case .requestResultSet(let permission, let status): requestResults[permission] = status
        case .faultsSet(let faults): self.faults = faults
        case .behaviorSet(let behavior): self.behavior = behavior
        case .trustLost:
            guard registration == .registered else { return }
            unregister(.trustLost)
        }
    }

    private mutating func enable(isRegistered: Bool, hasPermissions: Bool) {
        if isEnabled { disable() }
        isEnabled = true
        registration = isRegistered ? .registered : .unavailable
        for permission in Permission.allCases { statuses[permission] = hasPermissions ? .granted : .denied }
        for client in clients.sorted() { greet(client) }
    }

    /// Everything is as it was before the kit was enabled, behavior and faults too.
    private mutating func disable() {
        guard isEnabled else { return }
        endAllSessions(.kitDisabled)
        broadcast(.unavailable(.kitDisabled))
        let clients = clients
        let actions = actions
        self = MockWorld()
        (self.clients, self.actions) = (clients, actions)
    }

    private mutating func set(_ permission: Permission, _ status: PermissionStatus) {
        statuses[permission] = status
        requestResults[permission] = status
        guard permission == .camera, status == .denied else { return }
        for key in sessions.keys { endStream(of: key, .permissionDenied) }
    }

    private mutating func operate(
        _ operation: MockDeviceOperation, on identifier: DeviceIdentifier, at now: MonotonicTime
    ) {
        switch operation {
        case .powerOn: change(identifier) { $0.isPowered = true }
        case .powerOff:
            endSession(on: identifier, .poweredOff)
            change(identifier) { $0.switchOff() }
        case .unfold: change(identifier) { $0.isUnfolded = true }
        case .fold:
            endSession(on: identifier, .folded)
            change(identifier) { ($0.isUnfolded, $0.isDonned, $0.isLeaked) = (false, false, false) }
        case .don: don(identifier)
        case .doff: doff(identifier)
        case .tap: tap(identifier)
        case .tapAndHold:
            guard find(identifier)?.session != nil else {
                return note("Tap and hold on \(identifier) has no effect: no session runs.")
            }
            endSession(on: identifier, .endedByWearer)
        case .battery, .charging, .thermal: setHealth(operation, of: identifier)
        case .compatibility(let compatibility): change(identifier) { $0.compatibility = compatibility }
        case .feed(let source): setFeed(source, of: identifier)
        case .capturedImage(let path): change(identifier) { $0.capturedImage = path }
        case .click(let element): click(element, on: identifier)
        case .videoEnded:
            if let key = find(identifier)?.session { endVideo(key, .ended) }
        case .incident(let incident): happen(incident, to: identifier, at: now)
        }
    }

    // MARK: Wearing and touching

    private mutating func don(_ identifier: DeviceIdentifier) {
        change(identifier) { ($0.isPowered, $0.isUnfolded, $0.isDonned) = (true, true, true) }
        guard let key = find(identifier)?.session, sessions[key]?.pause == .doffed else { return }
        resume(key)
    }

    private mutating func doff(_ identifier: DeviceIdentifier) {
        guard let glasses = find(identifier), glasses.isDonned else { return }
        change(identifier) { $0.isDonned = false }
        guard let key = glasses.session else { return }
        if behavior.doffEffect == .stops { endStream(of: key, .takenOff) }
        pause(key, .doffed)
    }

    private mutating func tap(_ identifier: DeviceIdentifier) {
        guard let key = find(identifier)?.session, let session = sessions[key] else {
            return note("A tap on \(identifier) has no effect: no session runs.")
        }
        if session.pause == nil { pause(key, .tapped) } else { resume(key) }
    }

    // MARK: Health

    private mutating func setHealth(_ operation: MockDeviceOperation, of identifier: DeviceIdentifier) {
        switch operation {
        case .battery(let percent): change(identifier) { $0.battery = min(100, max(0, percent)) }
        case .charging(let state): change(identifier) { $0.charging = state }
        case .thermal(let level): return setThermal(level, of: identifier)
        default: return
        }
        guard let glasses = find(identifier), glasses.isBatteryCritical else { return }
        endSession(on: identifier, .batteryEmpty)
        if glasses.battery == 0 {
            change(identifier) { $0.switchOff() }
        }
    }

    private mutating func setThermal(_ level: ThermalLevel, of identifier: DeviceIdentifier) {
        guard let glasses = find(identifier), glasses.thermal != level else { return }
        change(identifier) { $0.thermal = level }
        guard let key = glasses.session else { return }
        switch level {
        case .unknown, .none, .light, .moderate, .severe: return
        case .critical:
            deliver(key.client, .sessionWarned(key.session, .tooHot))
            endStream(of: key, .tooHot)
        case .emergency, .shutdown: _ = endSession(key, .tooHot)
        }
    }

    /// A stream that runs goes on with the new feed.
    private mutating func setFeed(_ source: MockFeedSource, of identifier: DeviceIdentifier) {
        change(identifier) { $0.feed = source }
        guard let key = find(identifier)?.session, let stream = sessions[key]?.stream else { return }
        let plan = MockFeedPlan(source: source, coding: stream.request.coding, rung: stream.ladder.current)
        actions.append(.changeFeed(MockStreamKey(session: key, stream: stream.number), plan))
    }

    // MARK: Incidents

    private mutating func happen(
        _ incident: MockIncident, to identifier: DeviceIdentifier, at now: MonotonicTime
    ) {
        switch incident {
        case .link(let state):
            if state == .disconnected { endSession(on: identifier, .outOfRange) }
            change(identifier) { $0.radio = state }
        case .crash:
            endSession(on: identifier, .crashed)
            change(identifier) { ($0.restart, $0.isLeaked) = (now.advanced(by: Self.restartTime), false) }
        case .sessionEnd(let refusal): endSession(on: identifier, refusal)
        case .sessionWarning(let refusal):
            guard let key = find(identifier)?.session else { return }
            deliver(key.client, .sessionWarned(key.session, refusal))
        case .streamEnd(let refusal):
            guard let key = find(identifier)?.session else { return }
            endStream(of: key, refusal)
        case .keyFrameLoss:
            guard let key = find(identifier)?.session else { return }
            sessions[key]?.stream?.lacksKeyFrame = true
        case .sessionLeak:
            endSession(on: identifier, .endedByDevice)
            change(identifier) { $0.isLeaked = true }
        }
    }
}
