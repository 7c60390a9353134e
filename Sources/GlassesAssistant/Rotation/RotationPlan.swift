import GlassesDomain

/// When a connection that has a ceiling is replaced by a new one.
///
/// Well before its end in a quiet moment; close to it as soon as nothing plays; at the last moment whatever happens. A connection that
/// is to live for less than twenty minutes leaves each step the same share of its time.
struct RotationPlan: Sendable, Hashable {
    /// How pressing a replacement is.
    enum Urgency: Sendable, Hashable, Comparable {
        case none
        /// In the next quiet moment.
        case wanted
        /// As soon as nothing plays, is said or runs.
        case pressing
        /// Now.
        case overdue
    }

    /// Before the ceiling.
    static let lead = Duration.seconds(600)
    static let pressingLead = Duration.seconds(60)
    static let overdueLead = Duration.seconds(10)

    let wanted: MonotonicTime
    let pressing: MonotonicTime
    let overdue: MonotonicTime

    /// The plan for a connection that ends at `ceiling`. One whose end was announced while it was open is replaced from now on.
    init(ceiling: MonotonicTime, at now: MonotonicTime, isAnnounced: Bool = false) {
        let left = max(now.duration(to: ceiling), .zero)
        wanted = isAnnounced ? now : ceiling.advanced(by: .zero - min(Self.lead, left / 2))
        pressing = ceiling.advanced(by: .zero - min(Self.pressingLead, left / 4))
        overdue = ceiling.advanced(by: .zero - min(Self.overdueLead, left / 8))
    }

    /// How pressing it is at `now`.
    func urgency(at now: MonotonicTime) -> Urgency {
        if now >= overdue { return .overdue }
        if now >= pressing { return .pressing }
        return now >= wanted ? .wanted : .none
    }

    /// When it next becomes more pressing; nil when it cannot.
    func nextStep(after now: MonotonicTime) -> MonotonicTime? { [wanted, pressing, overdue].first { $0 > now } }
}
