import MWDATCore

/// What goes wrong in the simulated world until it is set right again. An addition to the vendor's API.
///
/// ```swift
/// MockDeviceKit.shared.faults = MockFaults(unanswered: [.photo])
/// ```
public struct MockFaults: Sendable, Hashable {
    /// A kind of thing that an app asks of glasses or of their companion.
    public enum Request: String, Sendable, CaseIterable {
        case registration
        case unregistration
        case permissionCheck
        case permissionRequest
        case navigation
        case session
        case sessionEnd
        case stream
        case streamEnd
        case photo
        case display
        case displayEnd
        case view
    }

    /// Requests that get no answer at all.
    public var unanswered: Set<Request>
    /// Requests that are refused, and why. Ends cannot be refused; there the entry has no effect.
    public var refusals: [Request: Refusal]
    /// How much later than usual every request is answered; 0 by default.
    public var answerDelay: Duration
    /// Streams stay as they are, but no picture arrives.
    public var stopsFrames: Bool
    /// The glasses' memory is full: a stream ends with its next picture, photos fail.
    public var runsOutOfMemory: Bool
    /// What the link carries, in bits a second; nil, the default, for as much as is asked of it. Pictures are counted as compressed.
    public var linkRate: Int?

    /// The given faults; none by default.
    public init(
        unanswered: Set<Request> = [], refusals: [Request: Refusal] = [:], answerDelay: Duration = .zero,
        stopsFrames: Bool = false, runsOutOfMemory: Bool = false, linkRate: Int? = nil
    ) {
        self.unanswered = unanswered
        self.refusals = refusals
        self.answerDelay = answerDelay
        self.stopsFrames = stopsFrames
        self.runsOutOfMemory = runsOutOfMemory
        self.linkRate = linkRate
    }
}

/// Something that happens to a pair of glasses once. An addition to the vendor's API.
public enum MockIncident: Sendable, Hashable {
    /// The link changes: `disconnected` ends what runs over it, `connecting` does not; `connected` gives it back.
    case link(LinkState)
    /// The glasses crash, and are there again two seconds later.
    case crash
    /// The glasses end their session.
    case sessionEnd(Refusal)
    /// The glasses warn their session, which goes on.
    case sessionWarning(Refusal)
    /// The glasses end their stream; the session goes on.
    case streamEnd(Refusal)
    /// The next key frame is lost: no picture can be decoded until another one is asked for.
    case keyFrameLoss
    /// A session of an app that is gone is left on the glasses: the next one is refused, unless it takes over.
    case sessionLeak
}

extension MockFaults.Request {
    /// The kind of a command; nil for hints and answers.
    init?(_ command: LinkCommand) {
        switch command {
        case .register: self = .registration
        case .unregister: self = .unregistration
        case .checkPermission: self = .permissionCheck
        case .requestPermission: self = .permissionRequest
        case .openUpdate: self = .navigation
        case .openSession: self = .session
        case .closeSession: self = .sessionEnd
        case .startStream: self = .stream
        case .stopStream: self = .streamEnd
        case .capturePhoto: self = .photo
        case .startDisplay: self = .display
        case .stopDisplay: self = .displayEnd
        case .showView, .clearDisplay: self = .view
        case .cancelRegistration, .openedURL, .answerRegistrationRequest, .requestKeyFrame, .holdStream, .stopPlayback:
            return nil
        }
    }
}
