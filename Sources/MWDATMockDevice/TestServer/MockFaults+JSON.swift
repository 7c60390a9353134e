import GlassesDomain
import MWDATCore

extension MockFaults {
    /// The faults that a request names; those that it does not name are set right.
    init(_ request: TestRequest) throws(TestServerFailure) {
        var faults = MockFaults()
        for element in request.value("unanswered")?.arrayValue ?? [] {
            guard let kind = element.stringValue.flatMap(Request.init) else {
                throw TestRequest.wrong("unanswered", "a list of " + TestRequest.names(Request.self))
            }
            faults.unanswered.insert(kind)
        }
        for (name, check) in request.value("refusals")?.objectValue ?? [:] {
            guard let kind = Request(rawValue: name), let check = check.stringValue.flatMap(Refusal.Check.init) else {
                throw TestRequest.wrong(
                    "refusals",
                    "an object of requests (\(TestRequest.names(Request.self))) and "
                        + "checks (\(TestRequest.names(Refusal.Check.self)))")
            }
            faults.refusals[kind] = Refusal(
                check, "The simulated glasses were told to refuse this. Take the fault away.", isRetryable: true)
        }
        if request.value("answerDelayMs") != nil {
            faults.answerDelay = .milliseconds(try request.integer("answerDelayMs", in: 0...600_000))
        }
        if request.value("linkRate") != nil {
            faults.linkRate = try request.integer("linkRate", in: 1...1_000_000_000)
        }
        faults.stopsFrames = try request.flag("stopsFrames", or: false)
        faults.runsOutOfMemory = try request.flag("runsOutOfMemory", or: false)
        self = faults
    }
}

extension MockIncident {
    private enum Name: String, CaseIterable {
        case link
        case crash
        case sessionEnd
        case sessionWarning
        case streamEnd
        case keyFrameLoss
        case sessionLeak
    }

    /// The incident that a request names, with its link's state or the check of its reason.
    init(_ request: TestRequest) throws(TestServerFailure) {
        switch try request.choice("incident", Name.self) {
        case .link: self = .link(try request.choice("state", LinkState.self))
        case .crash: self = .crash
        case .sessionEnd: self = .sessionEnd(try Self.refusal(request))
        case .sessionWarning: self = .sessionWarning(try Self.refusal(request))
        case .streamEnd: self = .streamEnd(try Self.refusal(request))
        case .keyFrameLoss: self = .keyFrameLoss
        case .sessionLeak: self = .sessionLeak
        }
    }

    private static func refusal(_ request: TestRequest) throws(TestServerFailure) -> Refusal {
        Refusal(
            try request.choice("check", Refusal.Check.self, or: .endedByDevice),
            "The simulated glasses were told to do this. Start again.", isRetryable: true)
    }
}
