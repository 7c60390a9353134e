/// Where versions of the vendor's kit differ, and what of it the mock kit does. An addition to the vendor's API.
public struct MockBehavior: Sendable, Hashable {
    /// When glasses have to be worn.
    public enum DonRequirement: String, Sendable, CaseIterable {
        /// Never: powered and unfolded glasses do everything, as up to 0.6.
        case never
        /// A session that is opened on glasses which are not worn is refused, as since 0.7.
        case always
    }

    /// What taking off does to a session that streams.
    public enum DoffEffect: String, Sendable, CaseIterable {
        /// Session and stream pause until the glasses are worn again, as up to 0.8.
        case pauses
        /// The stream ends as if the hinges had been closed, and the session pauses, as since 0.9.
        case stops
    }

    /// When glasses have to be worn.
    public var donRequirement: DonRequirement
    /// What taking off does.
    public var doffEffect: DoffEffect

    /// The newest behaviour, or that which is given.
    public init(donRequirement: DonRequirement = .always, doffEffect: DoffEffect = .stops) {
        self.donRequirement = donRequirement
        self.doffEffect = doffEffect
    }
}
