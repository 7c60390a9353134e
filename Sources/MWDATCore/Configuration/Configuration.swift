import Foundation

/// What the toolkit knows of the app.
///
/// An app on Apple's systems has it in its Info.plist. Here it comes from a file of the same form, beside the executable or
/// elsewhere, or from code.
public struct Configuration: Sendable, Hashable {
    /// `CFBundleIdentifier`.
    public var bundleIdentifier: String
    /// `CFBundleDisplayName`, or else `CFBundleName`: what a person reads.
    public var appName: String
    /// `CFBundleShortVersionString`.
    public var appVersion: String
    /// `CFBundleVersion`.
    public var buildNumber: String
    /// `MWDAT.AppLinkURLScheme`: what the companion puts before the query of a callback URL, such as `myapp://`. It ends in `://`,
    /// or is a universal link.
    public var appLinkURLScheme: String
    /// `MWDAT.MetaAppID`; empty, `0` or an unexpanded `$(…)` mean Developer Mode.
    public var metaAppID: String
    /// `MWDAT.ClientToken`, in the form `AR|<app id>|<token>`. Needed only outside of Developer Mode.
    public var clientToken: String
    /// `MWDAT.TeamID`. Needed only outside of Developer Mode.
    public var teamID: String

    /// A configuration with the given values.
    public init(
        bundleIdentifier: String, appName: String, appVersion: String = "1.0", buildNumber: String = "1",
        appLinkURLScheme: String, metaAppID: String = "", clientToken: String = "", teamID: String = ""
    ) {
        self.bundleIdentifier = bundleIdentifier
        self.appName = appName
        self.appVersion = appVersion
        self.buildNumber = buildNumber
        self.appLinkURLScheme = appLinkURLScheme
        self.metaAppID = metaAppID
        self.clientToken = clientToken
        self.teamID = teamID
    }

    /// The configuration in a dictionary of Info.plist's form.
    ///
    /// - Throws: the first key without which there is none. Keys that are there but wrong are told by ``problems(in:)``.
    public init(infoDictionary: [String: Any]?) throws(ConfigurationError) {
        guard let infoDictionary, !infoDictionary.isEmpty else { throw .missingInfoDictionary }
        func text(_ key: String) -> String? {
            guard let text = infoDictionary[key] as? String, !text.isEmpty else { return nil }
            return text
        }
        guard let identifier = text("CFBundleIdentifier") else { throw .missingBundleIdentifier }
        guard let name = text("CFBundleDisplayName") ?? text("CFBundleName") else { throw .missingAppName }
        guard let version = text("CFBundleShortVersionString") else { throw .missingAppVersion }
        guard let build = text("CFBundleVersion") else { throw .missingBuildNumber }
        let toolkit = infoDictionary["MWDAT"] as? [String: Any] ?? [:]
        self.init(
            bundleIdentifier: identifier, appName: name, appVersion: version, buildNumber: build,
            appLinkURLScheme: toolkit["AppLinkURLScheme"] as? String ?? "",
            metaAppID: toolkit["MetaAppID"] as? String ?? (toolkit["MetaAppID"] as? Int).map(String.init) ?? "",
            clientToken: toolkit["ClientToken"] as? String ?? "", teamID: toolkit["TeamID"] as? String ?? "")
    }

    /// Whether the app is registered without attestation.
    public var isDeveloperMode: Bool { Self.isUnset(metaAppID) }

    /// Whether a value stands for nothing: empty, `0`, or a build setting that was not expanded.
    static func isUnset(_ value: String) -> Bool {
        let value = value.trimmingCharacters(in: .whitespaces)
        return value.isEmpty || value == "0" || value.hasPrefix("$(")
    }
}

/// Which key without which there is no configuration is missing.
public enum ConfigurationError: DatError, CaseIterable {
    /// There is no dictionary, or it is empty.
    case missingInfoDictionary
    /// `CFBundleIdentifier` is missing.
    case missingBundleIdentifier
    /// `CFBundleName` is missing.
    case missingAppName
    /// `CFBundleShortVersionString` is missing.
    case missingAppVersion
    /// `CFBundleVersion` is missing.
    case missingBuildNumber

    /// The key's name; `Info.plist` when the whole dictionary is missing.
    public var key: String {
        switch self {
        case .missingInfoDictionary: "Info.plist"
        case .missingBundleIdentifier: "CFBundleIdentifier"
        case .missingAppName: "CFBundleName"
        case .missingAppVersion: "CFBundleShortVersionString"
        case .missingBuildNumber: "CFBundleVersion"
        }
    }

    /// A sentence for a person.
    public var description: String {
        switch self {
        case .missingInfoDictionary: "There is no Info.plist, or it is empty."
        case .missingBundleIdentifier, .missingAppName, .missingAppVersion, .missingBuildNumber:
            "The key \(key) is missing or empty."
        }
    }
}
