/// Says a duration as people do.
enum SpokenDuration {
    /// Such as "5 minutes", "1 hour and 30 minutes" or "0 seconds".
    static func text(seconds: Int) -> String {
        let units = [(seconds / 3_600, "hour"), (seconds / 60 % 60, "minute"), (seconds % 60, "second")]
        let parts = units.filter { $0.0 > 0 }.map { "\($0.0) \($0.1)\($0.0 == 1 ? "" : "s")" }
        guard let last = parts.last else { return "0 seconds" }
        return parts.count == 1 ? last : parts.dropLast().joined(separator: ", ") + " and " + last
    }
}
