import Foundation

/// The value of a `Retry-After` header (RFC 9110 section 10.2.3): seconds, or a date in any of HTTP's three forms.
enum RetryAfter {
    /// The seconds from `now` on, at least 0; nil when the value has no meaning. `now` is in seconds since 1970.
    static func seconds(_ value: String, now: Double) -> Double? {
        let trimmed = value.trimmingCharacters(in: .whitespaces)
        if !trimmed.isEmpty, trimmed.utf8.allSatisfy({ $0 >= UInt8(ascii: "0") && $0 <= UInt8(ascii: "9") }) {
            return Double(trimmed)
        }
        return HTTPDate.secondsSince1970(trimmed).map { max(0, $0 - now) }
    }
}
