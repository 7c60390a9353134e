/// How a session waits before it opens a lost connection again, and when it gives up.
///
/// Before each attempt it waits a random time of at most ``firstWait``, doubled with each attempt up to ``longestWait``. It gives up, and
/// ends with ``EndReason/error``, once so much waiting would be more than ``giveUpAfter``, and at once when the refusal is one that waiting
/// does not mend. A wait that the server asked for (`Retry-After`) is obeyed three times, up to 60 s each, and does not count.
public struct ReconnectConfig: Sendable, Hashable, Codable {
    /// The longest wait before the first attempt, in seconds: 0.01…60.
    public var firstWait: Double
    /// The longest wait before any attempt, in seconds: from ``firstWait`` to 600.
    public var longestWait: Double
    /// The waiting that is spent on one lost connection, in seconds: 0…86,400. With 0 no attempt is made, and the first lost connection
    /// ends the session.
    public var giveUpAfter: Double

    /// The waits, in seconds.
    public init(firstWait: Double = 0.25, longestWait: Double = 8, giveUpAfter: Double = 60) {
        self.firstWait = firstWait
        self.longestWait = longestWait
        self.giveUpAfter = giveUpAfter
    }

    /// 250 ms, doubled up to 8 s, until 60 s were waited.
    public static let standard = ReconnectConfig()
    /// The first lost connection ends the session.
    public static let never = ReconnectConfig(giveUpAfter: 0)
}
