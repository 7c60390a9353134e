import MWDATCamera
import MWDATCore

@MainActor
final class Preview {
    let streamSession: StreamSession
    var session: StreamSession { streamSession }

    init(_ wearables: any WearablesInterface) {
        // BLOCK
    }
}
