import GlassesCore

/// Where frames are handed on.
protocol Relay: Sendable {
    func resume()
    func hold(_ reason: String)
    func stop()
}

func follow(_ glasses: any ExtentosGlasses, _ relay: some Relay) async {
    // BLOCK
}
