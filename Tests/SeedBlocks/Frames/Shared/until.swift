import Glibc

/// Ends the program when `isTrue` has not become true within a minute.
@MainActor
func until(_ what: String, _ isTrue: @MainActor () -> Bool) async throws {
    let deadline = ContinuousClock.now + .seconds(60)
    while !isTrue() {
        guard ContinuousClock.now < deadline else {
            print("not in time: \(what)")
            exit(1)
        }
        try await Task.sleep(for: .milliseconds(10))
    }
}
