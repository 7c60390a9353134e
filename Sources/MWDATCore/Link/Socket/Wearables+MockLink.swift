extension Wearables {
    /// Uses the glasses of the mock device kit that another process of the same user has enabled, by the path of its
    /// socket.
    ///
    /// Configures the toolkit with `configuration` when that has not happened. A link that was used before is closed,
    /// and its sessions end; listeners stay. Returns at once: whether somebody serves the socket is told by
    /// ``readiness()`` and by the registration's state, and the link connects again by itself when the other process
    /// comes back. Any thread, but not from within a listener.
    public static func use(mockLink path: String, configuration: Configuration = .mockLinkClient) {
        use(link: RemoteLink(mockLink: path, name: configuration.appName), configuration: configuration)
    }
}

extension Configuration {
    /// The configuration of a program that has none of its own and uses a mock link: a plugin, a tool, a test.
    public static var mockLinkClient: Configuration {
        Configuration(
            bundleIdentifier: "org.extentos.mock-link-client", appName: "Mock link client",
            appLinkURLScheme: "extentos-mock-link://")
    }
}
