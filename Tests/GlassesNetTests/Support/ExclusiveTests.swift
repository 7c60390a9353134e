import Testing

/// Tests that move much, and tests that look at the clock: one after another, since the network thread is one for all of them.
@Suite(.serialized) enum ExclusiveTests {}
