import MWDATCore

/// Brings the toolkit to talk over a link of the kit, or over none. Replaceable, so that tests have a toolkit of their own.
protocol LinkInstaller: Sendable {
    /// From now on the toolkit talks over `link`; nil for none. The old link was closed when this returns.
    func install(_ link: (any WearablesLink)?)
    /// The kit's socket is at `path` from now on; nil for none. Plugins of this process are led there.
    func publish(socket path: String?)
}

extension LinkInstaller {
    /// Nobody is led there.
    func publish(socket path: String?) {}
}

/// The process's toolkit.
struct ProcessLinkInstaller: LinkInstaller {
    func install(_ link: (any WearablesLink)?) {
        if link == nil, Wearables.hub == nil { return }
        Wearables.use(link: link, configuration: .mockDeviceKit)
    }

    func publish(socket path: String?) { MockLinkAddress.current = path }
}

extension Configuration {
    /// That of an app which has none: the simulated companion asks for nothing.
    static let mockDeviceKit = Configuration(
        bundleIdentifier: "org.extentos.mock-app", appName: "Mock app", appLinkURLScheme: "mock-app://")
}
