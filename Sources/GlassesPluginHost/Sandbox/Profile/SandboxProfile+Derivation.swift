public import GlassesDomain

extension SandboxProfile {
    /// The rights that follow from what `plugin` is granted. Looks at the file system for the plugin's own files and for devices:
    /// a device that is plugged in later is reached by the child that is started then.
    ///
    /// An absolute path among the app's `settings` for the instance, alone or as `file:PATH`, can be read: with it the app says what
    /// the plugin is to use.
    public init(
        _ plugin: FoundPlugin, grants: PluginGrants, environment: PluginEnvironment,
        settings: JSONValue = .object([:]), places: SandboxPlaces = .standard(),
        limits: SandboxLimits = SandboxLimits()
    ) {
        self.init(rules: Self.base + Self.own(plugin.library) + Self.named(settings), limits: limits)
        rules += places.readable.map { SandboxRule($0, .read) }
        let variables = environment.variables
        let hears = grants.allows(.microphone)
        let speaks = grants.allows(.speaker)
        if hears || speaks {
            hasLocalSockets = true
            rules += SoundRules.files(variables)
            rules += SoundRules.devices(places, microphone: hears, speaker: speaks)
        }
        if grants.allows(.camera) { rules += Self.camera(places) }
        if grants.allows(.network) {
            hasNetwork = true
            rules += Self.network(variables)
        }
        if grants.allows(.bluetooth) {
            (hasBluetooth, hasLocalSockets) = (true, true)
            rules += Self.bluetooth
        }
        if grants.allows(.localSockets) { hasLocalSockets = true }
        for case .files(let scope?) in grants.permissions {
            guard let path = scope.absolutePath(home: places.home) else { continue }
            rules.append(SandboxRule(path, scope.access == .write ? [.read, .write] : .read))
            if scope.access == .write { changesAttributes = true }
        }
    }

    /// The rights of a child that only tries a library out: its own files, and nothing that anybody granted.
    public static func probing(library: String) -> SandboxProfile {
        SandboxProfile(rules: base + own(library))
    }

    /// What every program reads: shared libraries, shared data, names, and facts about the machine and itself.
    private static let base: [SandboxRule] =
        [
            "/usr/lib", "/usr/lib32", "/usr/lib64", "/lib", "/lib64", "/usr/local/lib", "/usr/share",
            "/usr/local/share", "/etc/ld.so.cache", "/etc/ld.so.preload", "/etc/localtime", "/etc/timezone",
            "/etc/nsswitch.conf",
            "/etc/passwd", "/etc/group", "/proc/self", "/proc/cpuinfo", "/proc/meminfo",
            "/proc/sys/vm/overcommit_memory", "/sys/devices/system/cpu",
        ].map { SandboxRule($0, .read) }
        + ["null", "zero", "full", "random", "urandom"].map { SandboxRule("/dev/" + $0, .device) }

    /// An installed plugin's folder. In a build folder, where other things lie, only what belongs to the plugin: its library, the
    /// libraries beside it, its resources.
    private static func own(_ library: String) -> [SandboxRule] {
        let folder = PluginPermissions.parent(of: library)
        let file = SandboxRule(library, .read)
        if PluginFile(path: folder + "/plugin.json")?.isRegular == true {
            return [SandboxRule(folder, .read), file]
        }
        let name = library.dropFirst(folder.count + 1)
        let resources = "_\(name.dropFirst(name.hasPrefix("lib") ? 3 : 0).prefix { $0 != "." }).resources"
        let beside = SandboxPlaces.names(in: folder).prefix(PluginFinder.entryLimit).compactMap { other in
            if other.hasPrefix("lib"), other.hasSuffix(".so") || other.contains(".so.") {
                return SandboxRule(folder + "/" + other, .read)
            }
            return other.hasSuffix(resources) ? SandboxRule(folder + "/" + other, .read) : nil
        }
        return [file] + beside
    }

    /// Settings name paths as they are or behind `file:`. The root alone is no path that anybody means.
    private static func named(_ settings: JSONValue) -> [SandboxRule] {
        guard case .object(let members) = settings else { return [] }
        let texts = members.values.compactMap(\.stringValue)
        let paths = texts.map { $0.hasPrefix("file:/") ? String($0.dropFirst("file:".count)) : $0 }
            .filter { $0.hasPrefix("/") && !$0.allSatisfy { $0 == "/" } }
        return paths.sorted().map { SandboxRule($0, .read) }
    }

    /// A USB camera takes two nodes, or four.
    private static let cameraNodes = 16

    private static func camera(_ places: SandboxPlaces) -> [SandboxRule] {
        // The nodes of cameras that are not there yet too: the child that is started after a death finds what was plugged in by then.
        let nodes = Set(places.nodes(["video", "media", "v4l", "dma_heap"])).union(
            (0..<cameraNodes).map { places.devices + "/video\($0)" })
        return nodes.sorted().map { SandboxRule($0, .device) }
            + ["/sys/class/video4linux", "/sys/devices", "/run/udev/data"].map { SandboxRule($0, .read) }
    }

    /// What looking up names and checking certificates reads.
    private static func network(_ variables: [String: String]) -> [SandboxRule] {
        let named = ["SSL_CERT_FILE", "SSL_CERT_DIR", "CURL_CA_BUNDLE"].compactMap { variables[$0] }
        return
            ([
                "/etc/resolv.conf", "/run/systemd/resolve", "/etc/hosts", "/etc/host.conf", "/etc/gai.conf",
                "/etc/services", "/etc/protocols", "/etc/ssl", "/etc/pki", "/etc/ca-certificates",
            ] + named.filter { $0.hasPrefix("/") }).map { SandboxRule($0, .read) }
    }

    private static let bluetooth = ["/run/dbus", "/sys/class/bluetooth"].map { SandboxRule($0, .read) }
}
