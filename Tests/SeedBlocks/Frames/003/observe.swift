import MWDATCore

func observeSession() throws -> DeviceSession {
    // BLOCK
    return session
}
