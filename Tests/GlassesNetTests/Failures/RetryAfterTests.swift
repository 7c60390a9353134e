import Testing

@testable import GlassesNet

struct RetryAfterTests {
    /// Sun, 06 Nov 1994 08:49:37 GMT.
    private static let moment = 784_111_777.0

    @Test(
        "Seconds and dates in each of HTTP's forms are understood",
        arguments: [
            ("7", 7.0), (" 0 ", 0), ("86400", 86_400), ("Sun, 06 Nov 1994 08:49:40 GMT", 3),
            ("Sunday, 06-Nov-94 08:50:37 GMT", 60), ("Sun Nov  6 08:49:38 1994", 1),
            ("Sun, 06 Nov 1994 08:00:00 GMT", 0),
        ])
    func understood(value: String, seconds: Double) {
        #expect(RetryAfter.seconds(value, now: Self.moment) == seconds)
    }

    @Test(
        "A value without meaning counts as absent",
        arguments: ["", "-3", "1.5", "soon", "Sun, 06 Foo 1994 08:49:37 GMT", "Sun, 32 Nov 1994 08:49:37 GMT", "nan"])
    func absent(value: String) { #expect(RetryAfter.seconds(value, now: Self.moment) == nil) }

    @Test(
        "Dates are counted from 1970 with leap days",
        arguments: [
            ("Thu, 01 Jan 1970 00:00:00 GMT", 0.0), ("Tue, 29 Feb 2000 12:00:00 GMT", 951_825_600),
            ("Fri, 01 Mar 2024 00:00:00 GMT", 1_709_251_200), ("Mon, 30 Nov 2026 10:00:00 GMT", 1_796_032_800),
        ])
    func dates(text: String, seconds: Double) { #expect(HTTPDate.secondsSince1970(text) == seconds) }
}
