/// Which permissions are being asked for, and what is known of them.
struct PermissionMachine: Sendable {
    /// What happened.
    enum Input: Equatable, Sendable {
        case checkAsked(Permission, LinkRequest)
        /// `check` asks whether it is granted already, `ask` the person.
        case requestAsked(Permission, check: LinkRequest, ask: LinkRequest)
        case answered(LinkRequest, PermissionStatus)
        case failed(LinkRequest, Refusal)
        /// A URL of the companion has an answer; nil when it does not say to what.
        case callbackArrived(Permission?, PermissionStatus)
        /// A URL of the companion says that the person could not be asked; nil when it does not say for what.
        case callbackFailed(Permission?, Refusal)
        case timerFired(LinkRequest)
        case linkLost(Refusal)
    }

    /// What is to be done.
    enum Action: Equatable, Sendable {
        case sendCheck(Permission, LinkRequest)
        case askPerson(Permission, LinkRequest)
        case schedule(LinkRequest, Duration)
        case cancel(LinkRequest)
        case finish(LinkRequest, Outcome)
    }

    /// How a check or a request ended.
    enum Outcome: Equatable, Sendable {
        case status(PermissionStatus)
        case refused(PermissionError, Refusal)
    }

    /// The glasses answer from their own memory.
    static let checkTimeout = Duration.seconds(5)
    /// A person needs that long to find a phone.
    static let requestTimeout = Duration.seconds(60)
    /// Requests that timed out and may still be answered; older ones are forgotten.
    static let maximumLate = 8
    /// Checks that run at the same time; one more is refused, since each holds a caller.
    static let maximumChecks = 64

    private struct Request: Equatable {
        var permission: Permission
        var check: LinkRequest
        var ask: LinkRequest
        var isAsking = false
    }

    private var checks: [LinkRequest: Permission] = [:]
    private var request: Request?
    private var late: [(id: LinkRequest, permission: Permission)] = []
    /// What the person allowed after the request had timed out: the next request's answer.
    private var lateAnswers: [Permission: PermissionStatus] = [:]

    /// What was last told of each.
    private(set) var known: [Permission: PermissionStatus] = [:]

    /// Why a permission cannot be asked about, before anybody is asked.
    ///
    /// A request may come before any glasses are known: they appear once the person has allowed something.
    static func refusal(isRegistered: Bool, devices: [LinkDevice], isRequest: Bool) -> (PermissionError, Refusal)? {
        guard isRegistered else { return (.noDevice, .notRegistered) }
        if devices.isEmpty { return isRequest ? nil : (.noDevice, .noSuchDevice) }
        let isReachable = devices.contains { $0.state.linkState == .connected }
        return isReachable ? nil : (.noDeviceWithConnection, .noConnection)
    }

    mutating func apply(_ input: Input, at now: Uptime) -> [Action] {
        switch input {
        case .checkAsked(let permission, let id): check(permission, id)
        case .requestAsked(let permission, let check, let ask): begin(permission, check: check, ask: ask)
        case .answered(let id, let status): answer(id, status)
        case .failed(let id, let refusal): fail(id, refusal)
        case .callbackArrived(let permission, let status): callback(permission, status)
        case .callbackFailed(let permission, let refusal): callbackFailed(permission, refusal)
        case .timerFired(let id): fire(id)
        case .linkLost(let refusal): lose(refusal)
        }
    }

    private mutating func check(_ permission: Permission, _ id: LinkRequest) -> [Action] {
        guard checks.count < Self.maximumChecks else {
            return [.finish(id, .refused(.requestInProgress, .requestInProgress))]
        }
        checks[id] = permission
        return [.schedule(id, Self.checkTimeout), .sendCheck(permission, id)]
    }

    private mutating func begin(_ permission: Permission, check: LinkRequest, ask: LinkRequest) -> [Action] {
        guard request == nil else { return [.finish(ask, .refused(.requestInProgress, .requestInProgress))] }
        if let status = lateAnswers.removeValue(forKey: permission) { return [.finish(ask, .status(status))] }
        request = Request(permission: permission, check: check, ask: ask)
        return [
            .schedule(ask, Self.requestTimeout), .schedule(check, Self.checkTimeout), .sendCheck(permission, check),
        ]
    }

    private mutating func answer(_ id: LinkRequest, _ status: PermissionStatus) -> [Action] {
        if let permission = checks.removeValue(forKey: id) {
            known[permission] = status
            return [.cancel(id), .finish(id, .status(status))]
        }
        if let place = late.firstIndex(where: { $0.id == id }) {
            rememberLate(late.remove(at: place).permission, status)
            return []
        }
        guard let request, id == request.ask || id == request.check else { return [] }
        if id == request.check {
            guard !request.isAsking else { return [] }
            return status == .granted ? finish(request, .status(.granted)) : ask(request)
        }
        return finish(request, .status(status))
    }

    private mutating func fail(_ id: LinkRequest, _ refusal: Refusal) -> [Action] {
        if checks.removeValue(forKey: id) != nil {
            return [.cancel(id), .finish(id, .refused(PermissionError(refusal), refusal))]
        }
        guard let request else { return [] }
        if id == request.ask { return finish(request, .refused(PermissionError(refusal), refusal)) }
        // Whether it was granted before is only a short cut.
        return id == request.check && !request.isAsking ? ask(request) : []
    }

    private mutating func callback(_ permission: Permission?, _ status: PermissionStatus) -> [Action] {
        if let request, permission == nil || permission == request.permission {
            return finish(request, .status(status))
        }
        let place = late.lastIndex { permission == nil || $0.permission == permission }
        if let place { rememberLate(late.remove(at: place).permission, status) }
        return []
    }

    private mutating func callbackFailed(_ permission: Permission?, _ refusal: Refusal) -> [Action] {
        guard let request, permission == nil || permission == request.permission else { return [] }
        return finish(request, .refused(PermissionError(refusal), refusal))
    }

    private mutating func fire(_ id: LinkRequest) -> [Action] {
        if checks.removeValue(forKey: id) != nil {
            return [.finish(id, .refused(.requestTimeout, .permissionTimeout))]
        }
        guard let request else { return [] }
        if id == request.check { return request.isAsking ? [] : ask(request) }
        guard id == request.ask else { return [] }
        late.append((request.ask, request.permission))
        if late.count > Self.maximumLate { late.removeFirst() }
        return finish(request, .refused(.requestTimeout, .permissionTimeout))
    }

    private mutating func lose(_ refusal: Refusal) -> [Action] {
        let outcome = Outcome.refused(.connectionError, refusal)
        var actions = checks.keys.sorted().flatMap { [Action.cancel($0), .finish($0, outcome)] }
        checks = [:]
        if let request { actions += finish(request, outcome) }
        late = []
        lateAnswers = [:]
        known = [:]
        return actions
    }

    private mutating func ask(_ request: Request) -> [Action] {
        self.request?.isAsking = true
        return [.cancel(request.check), .askPerson(request.permission, request.ask)]
    }

    private mutating func finish(_ request: Request, _ outcome: Outcome) -> [Action] {
        if case .status(let status) = outcome { known[request.permission] = status }
        self.request = nil
        return [.cancel(request.check), .cancel(request.ask), .finish(request.ask, outcome)]
    }

    private mutating func rememberLate(_ permission: Permission, _ status: PermissionStatus) {
        known[permission] = status
        // A late no is not held against the person: the next request asks again.
        if status == .granted { lateAnswers[permission] = status }
    }
}
