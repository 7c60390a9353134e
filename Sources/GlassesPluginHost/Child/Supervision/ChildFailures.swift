extension PluginKind {
    /// The prefix of this kind's functions.
    private var prefix: String { "glasses_\(rawValue)" }
    /// The function that makes an instance.
    var createFunction: String { prefix + "_factory.create" }
    /// The function that prepares one.
    var activateFunction: String { prefix + ".activate" }
    /// The function that ends one.
    var destroyFunction: String { prefix + ".destroy" }
    /// The function that describes one.
    var describeFunction: String { prefix + ".describe" }
}

extension PluginFailureReport {
    /// A child that ended, with the last lines that its plugin logged.
    init(_ end: ChildEnd, plugin: String, lastLines: [String] = []) {
        if case .hung(let function, _) = end {
            self = .timedOut(plugin: plugin, function: function)
            return
        }
        var message = "The plugin \(plugin) failed: \(end.description)."
        if !lastLines.isEmpty { message += " It logged last: \(lastLines.joined(separator: " | "))." }
        self.init(.failed, code: end.code, message: message + " Connect again, or update the plugin.")
    }

    /// An instance that was not opened.
    init(_ stage: OpeningStage, result: Int32, detail: String, plugin: String, kind: PluginKind) {
        func load(_ error: PluginLoadError) -> PluginFailureReport {
            PluginFailureReport(.unavailable, code: error.code, message: error.description)
        }
        func refused(_ function: String) -> PluginFailureReport {
            PluginFailureReport(PluginResult(c: result), plugin: plugin, function: function)
        }
        self =
            switch stage {
            case .notLoadable: load(.notLoadable(reason: detail))
            case .entryMissing: load(.entryMissing)
            case .entryInvalid: load(.entryInvalid)
            case .unsupportedABI: load(PluginABIVersion(text: detail).map { .unsupportedABI($0) } ?? .entryInvalid)
            case .activationRefused: load(.activationRefused(result: result))
            case .factoryMissing: PluginFailureReport(.unsupported, plugin: plugin, function: "get_factory")
            case .refused: refused(kind.createFunction)
            case .brokenStruct: PluginFailureReport(.failed, plugin: plugin, function: kind.createFunction)
            case .instanceRefused: refused(kind.activateFunction)
            case .notDescribed: PluginFailureReport(.failed, plugin: plugin, function: kind.describeFunction)
            }
    }
}

extension PluginABIVersion {
    /// The version that a description names.
    fileprivate init?(text: String) {
        let numbers = text.split(separator: ".").compactMap { Int($0) }
        guard numbers.count == 2 else { return nil }
        self.init(major: numbers[0], minor: numbers[1])
    }
}
