import Foundation
import MWDATCore

func start(
    _ session: DeviceSession, showGlassesAppUpdatePrompt: () -> Void, showError: (String) -> Void
) {
    // BLOCK
}
