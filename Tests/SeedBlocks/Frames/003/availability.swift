import MWDATCore

@MainActor
final class Availability {
    var hasActiveDevice = false

    func observe() {
        // BLOCK
    }
}
