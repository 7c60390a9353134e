/// A moment, or a span, of media: `value` parts of a second that has `timescale` of them. Stands in for Core Media's type.
public struct CMTime: Sendable, Hashable, Comparable {
    /// How many parts.
    public let value: Int64
    /// Parts a second; 0 for a time that is not valid.
    public let timescale: Int32

    /// `value` parts of a second that has `timescale` of them.
    public init(value: Int64, timescale: Int32) {
        self.value = value
        self.timescale = timescale
    }

    /// A moment on a stream's time line.
    init(nanoseconds: Int64) { self.init(value: nanoseconds, timescale: 1_000_000_000) }

    /// No time at all.
    public static let zero = CMTime(value: 0, timescale: 1)
    /// What is no time.
    public static let invalid = CMTime(value: 0, timescale: 0)

    /// Whether it is a time.
    public var isValid: Bool { timescale > 0 }

    /// In seconds; not a number when it is not valid.
    public var seconds: Double { isValid ? Double(value) / Double(timescale) : .nan }

    /// Whether `left` and `right` are the same time, in whatever parts; those that are not valid are all the same.
    public static func == (left: CMTime, right: CMTime) -> Bool {
        guard left.isValid, right.isValid else { return left.isValid == right.isValid }
        return left.scaled(to: right) == right.scaled(to: left)
    }

    /// Whether `left` is before `right`; what is not valid comes after every time.
    public static func < (left: CMTime, right: CMTime) -> Bool {
        guard left.isValid, right.isValid else { return left.isValid && !right.isValid }
        return left.scaled(to: right) < right.scaled(to: left)
    }

    /// Hashes the time as a fraction in lowest terms.
    public func hash(into hasher: inout Hasher) {
        guard isValid else { return hasher.combine(0) }
        var (divisor, rest) = (Int64(timescale), value % Int64(timescale))
        while rest != 0 { (divisor, rest) = (rest, divisor % rest) }
        hasher.combine(value / divisor)
        hasher.combine(Int64(timescale) / divisor)
    }

    private func scaled(to other: CMTime) -> Int128 { Int128(value) * Int128(other.timescale) }
}
