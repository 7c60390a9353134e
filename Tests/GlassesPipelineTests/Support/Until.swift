import Testing

/// Waits for a condition, 10 s at most.
func until(_ condition: () -> Bool) async throws {
    let deadline = ContinuousClock.now + .seconds(10)
    while !condition() {
        try #require(ContinuousClock.now < deadline, "the condition did not come true in 10 s")
        try await Task.sleep(for: .milliseconds(2))
    }
}
