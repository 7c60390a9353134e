/// Decides when a queue of audio has to be moved, because its timestamps say that it is somewhere else. Pure.
///
/// Timestamps jitter by a few milliseconds and now and then by far more; a moved reference makes the echo canceller learn
/// anew. So a queue is moved only when it is off by more than 20 ms in five measurements in a row, by whole 10 ms frames,
/// and no further than the smallest of them says. What is off by more than 100 ms is no jitter: it is moved at once.
struct QueueAlignment: Equatable {
    /// What counts as in place, in samples.
    static let tolerance = StreamFormat.frames(milliseconds: 20)
    /// What no jitter explains, in samples.
    static let discontinuity = StreamFormat.frames(milliseconds: 100)
    /// Measurements in a row that have to agree.
    static let certainty = 5
    /// Queues move by multiples of this.
    static let step = StreamFormat.frames(milliseconds: 10)

    private var smallest = 0
    private var agreeing = 0
    private var isFresh = true

    /// The queue was placed anew: the first measurement counts by itself.
    mutating func restart() { self = QueueAlignment() }

    /// Takes how many samples the queue lies before its place, and answers by how many to move it, mostly 0.
    mutating func note(_ deviation: Int) -> Int {
        let isFirst = isFresh
        isFresh = false
        guard deviation.magnitude > Self.tolerance else {
            agreeing = 0
            return 0
        }
        if isFirst || deviation.magnitude > Self.discontinuity {
            agreeing = 0
            return Self.wholeSteps(deviation)
        }
        let continues = agreeing > 0 && (deviation < 0) == (smallest < 0)
        smallest = continues && smallest.magnitude < deviation.magnitude ? smallest : deviation
        agreeing = continues ? agreeing + 1 : 1
        guard agreeing == Self.certainty else { return 0 }
        agreeing = 0
        return Self.wholeSteps(smallest)
    }

    private static func wholeSteps(_ deviation: Int) -> Int {
        let rest = deviation % step
        let whole = deviation - rest
        guard 2 * rest.magnitude >= step.magnitude else { return whole }
        let (rounded, isBeyond) = whole.addingReportingOverflow(step * rest.signum())
        return isBeyond ? whole : rounded
    }
}
