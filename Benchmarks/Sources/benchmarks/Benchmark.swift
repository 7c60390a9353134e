/// One thing that is measured; a file each.
protocol Benchmark: SendableMetatype {
    /// The name on the command line.
    static var name: String { get }
    /// What it measures, in a line of the help.
    static var summary: String { get }
    /// Measures and returns the figures in the order in which they are printed.
    static func run() -> [Figure]
}

/// One measured number.
struct Figure {
    /// What was measured, such as `decode 16384 B masked`.
    var name: String
    var value: Double
    /// `ns`, `ratio`, `GB/s`…
    var unit: String
}
