import Foundation
import Testing

/// Waits until `condition` holds, at most 60 s of real time, since a busy machine runs other tests meanwhile; a condition that
/// never holds fails the test.
func eventually(
    _ what: Comment, sourceLocation: SourceLocation = #_sourceLocation, _ condition: () async -> Bool
) async {
    let deadline = ContinuousClock.now.advanced(by: .seconds(60))
    while ContinuousClock.now < deadline {
        if await condition() { return }
        await pause()
    }
    Issue.record(what, sourceLocation: sourceLocation)
}

/// Gives other tasks a moment between two looks; it gives its thread back, so that two waiting tests cannot fill a small pool.
func pause() async {
    do { try await Task.sleep(for: .microseconds(300)) } catch { return }
}
