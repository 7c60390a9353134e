/// Holds what a repeated act costs against what it cost at first: memory, threads and descriptors must not grow.
struct GrowthWatch {
    /// The first tenth fills caches and pools.
    private static let warmUpShare = 10
    /// A leak of one page a cycle is found from here on; allocators and their arenas move less than this.
    private static let allowedBytes = 2 << 20
    /// More would make the validator's run too long; the note says how far it came.
    private static let budget = Duration.seconds(45)

    /// How many times in a row memory must have grown: allocators fill their arenas in jumps, the engines' for a dozen cycles.
    private static let windows = 6

    /// Libdispatch, which a plugin may well use, keeps a worker without work for five seconds.
    private static let settling = Duration.seconds(7)

    /// Performs `cycle` up to `run.cycles` times and fails when something grew.
    static func check(_ run: CaseRun, _ what: String, _ cycle: (Int) throws(CaseEnd) -> Void) throws(CaseEnd) {
        let end = Moment.now() + budget
        let warmUp = max(5, run.cycles / warmUpShare)
        var done = 0
        while done < warmUp {
            try cycle(done)
            done += 1
        }
        let before = ProcessUsage.now()
        var growth: [Int] = []
        var resident = before.residentBytes
        let window = max(1, (run.cycles - warmUp) / 2)
        // A pool that fills takes some cycles more than others and is full then; a leak grows in every window.
        while growth.count < 2 || (growth.allSatisfy { $0 > allowedBytes / 2 } && growth.count < windows) {
            for _ in 0..<window where Moment.now() < end {
                try cycle(done)
                done += 1
            }
            let now = ProcessUsage.now().residentBytes
            growth.append(now - resident)
            resident = now
            if Moment.now() >= end { break }
        }
        let after = ProcessUsage.settled(at: before, within: settling)
        try expect(
            after.descriptors <= before.descriptors,
            "\(done - warmUp) cycles of \(what) left \(after.descriptors - before.descriptors) descriptors open.")
        try expect(
            after.threads <= before.threads,
            "\(done - warmUp) cycles of \(what) left \(after.threads - before.threads) threads.")
        growth[growth.count - 1] += after.residentBytes - resident
        try expect(
            growth.contains { $0 <= allowedBytes / 2 },
            "\(done - warmUp) cycles of \(what) took \(growth.reduce(0, +) / 1_024) KiB that were not given back.")
        if done < run.cycles { run.note = "\(done) of \(run.cycles) cycles within \(budget.inMilliseconds / 1_000) s" }
    }
}
