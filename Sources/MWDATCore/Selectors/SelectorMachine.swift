/// Which glasses an automatic choice has, and how long it holds on to them.
struct SelectorMachine: Sendable {
    /// What happened.
    enum Input: Equatable, Sendable {
        /// The glasses in the companion's order. Ones that are not in it are gone for good when `isListComplete`.
        case candidatesChanged([Candidate], isListComplete: Bool)
        case timerFired(Int)
    }

    /// A pair of glasses, as far as the choice goes.
    struct Candidate: Equatable, Sendable {
        enum Fitness: Sendable {
            case eligible
            /// It is being connected, as happens for a moment in normal use.
            case blinking
            case ineligible
        }

        var identifier: DeviceIdentifier
        var fitness: Fitness
    }

    /// What is to be done.
    enum Action: Equatable, Sendable {
        case schedule(Int, Duration)
        case cancel(Int)
        case choose(DeviceIdentifier?)
    }

    /// Links blink in normal use, above all around photos; those who watched them wait this long.
    static let patience = Duration.milliseconds(2500)

    private var candidates: [Candidate] = []
    private var timer: Int?
    private var timers = 0
    private(set) var active: DeviceIdentifier?

    mutating func apply(_ input: Input, at now: Uptime) -> [Action] {
        switch input {
        case .candidatesChanged(let candidates, let isListComplete):
            self.candidates = candidates
            return consider(isListComplete)
        case .timerFired(let fired):
            guard fired == timer else { return [] }
            timer = nil
            return choose()
        }
    }

    private mutating func consider(_ isListComplete: Bool) -> [Action] {
        guard let active else { return choose() }
        let fitness =
            candidates.first { $0.identifier == active }?.fitness ?? (isListComplete ? .ineligible : .blinking)
        switch fitness {
        case .eligible: return dropTimer()
        case .ineligible: return dropTimer() + choose()
        case .blinking:
            guard timer == nil else { return [] }
            timers += 1
            timer = timers
            return [.schedule(timers, Self.patience)]
        }
    }

    private mutating func choose() -> [Action] {
        let best = candidates.first { $0.fitness == .eligible }?.identifier
        guard best != active else { return [] }
        active = best
        return [.choose(best)]
    }

    private mutating func dropTimer() -> [Action] {
        guard let timer else { return [] }
        self.timer = nil
        return [.cancel(timer)]
    }
}
