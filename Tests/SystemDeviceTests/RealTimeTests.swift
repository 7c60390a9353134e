import Testing

/// Every test that plays or captures in real time. One after another, since each of them measures milliseconds.
@Suite(.serialized) enum RealTimeTests {}
