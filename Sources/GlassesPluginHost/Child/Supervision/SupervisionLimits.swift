/// The times of the restart policy.
struct SupervisionLimits: Sendable, Equatable {
    /// Within this, nobody is told of an outage.
    var outage: Duration = .seconds(1)
    /// A child that has delivered for this long is a good one.
    var proof: Duration = .seconds(5)
    /// A death counts when it comes within this of the start.
    var earlyDeath: Duration = .seconds(5)
    /// A call that only starts something and returns.
    var call: Duration = .seconds(2)
}
