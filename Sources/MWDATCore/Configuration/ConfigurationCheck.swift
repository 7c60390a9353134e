import Foundation

extension Configuration {
    /// Every key that is missing or wrong in this configuration, in the order of the documentation.
    public var problems: [ConfigurationProblem] { [schemeProblem].compactMap { $0 } + attestationProblems }

    /// Every key that is missing or wrong in a dictionary of Info.plist's form, those that matter only on phones included.
    public static func problems(in infoDictionary: [String: Any]?) -> [ConfigurationProblem] {
        do {
            let configuration = try Configuration(infoDictionary: infoDictionary)
            return configuration.problems + phoneProblems(infoDictionary ?? [:], scheme: configuration.appLinkURLScheme)
        } catch {
            return [ConfigurationProblem(key: error.key, severity: .preventsUse, message: error.description)]
        }
    }

    private var schemeProblem: ConfigurationProblem? {
        let wrong: String? =
            if appLinkURLScheme.isEmpty {
                "The companion needs it to come back to the app: write something like myapp://"
            } else if appLinkURLScheme.hasPrefix("https://") {
                Self.isUniversalLink(appLinkURLScheme) ? nil : "A universal link needs a host."
            } else if !appLinkURLScheme.hasSuffix("://") {
                "It has to end in ://, since the companion appends only a query. (A pre-processed Info.plist loses "
                    + "what follows // unless -traditional-cpp is set.)"
            } else {
                Self.problem(ofScheme: String(appLinkURLScheme.dropLast(3)))
            }
        return wrong.map {
            ConfigurationProblem(key: "MWDAT.AppLinkURLScheme", severity: .preventsUse, message: $0)
        }
    }

    private static func isUniversalLink(_ link: String) -> Bool {
        guard let host = URLComponents(string: link)?.host else { return false }
        return !host.isEmpty
    }

    /// What is wrong with a scheme by RFC 3986, or by what the companion is known to refuse.
    private static func problem(ofScheme scheme: String) -> String? {
        let allowed = Set("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789+-.")
        guard let first = scheme.first, first.isASCII, first.isLetter else { return "It has to begin with a letter." }
        guard scheme.allSatisfy(allowed.contains) else {
            return "It may hold only letters, digits and + - . (an underscore makes the companion fail)."
        }
        let prefix = scheme.prefix { $0 != "." }
        let isTeam =
            prefix.count == 10 && prefix.count < scheme.count && prefix.allSatisfy { $0.isUppercase || $0.isNumber }
        return isTeam ? "A scheme that begins with the team's identifier cannot be opened: leave the prefix away." : nil
    }

    private var attestationProblems: [ConfigurationProblem] {
        guard !isDeveloperMode else { return [] }
        var found: [ConfigurationProblem] = []
        let parts = clientToken.split(separator: "|", omittingEmptySubsequences: false)
        let missing = "It is needed beside MWDAT.MetaAppID; leave MetaAppID empty to use Developer Mode."
        if Self.isUnset(clientToken) {
            found.append(.init(key: "MWDAT.ClientToken", severity: .preventsRegistration, message: missing))
        } else if parts.count != 3 || parts[0] != "AR" || parts[1] != metaAppID || parts[2].isEmpty {
            found.append(
                .init(
                    key: "MWDAT.ClientToken", severity: .preventsRegistration,
                    message: "It has the form AR|<app id>|<token>, with the app id of MWDAT.MetaAppID."))
        }
        if Self.isUnset(teamID) {
            found.append(.init(key: "MWDAT.TeamID", severity: .preventsRegistration, message: missing))
        }
        return found
    }

    /// Keys that nothing reads on Linux, but without which the same app fails silently on a phone.
    private static func phoneProblems(_ info: [String: Any], scheme: String) -> [ConfigurationProblem] {
        var found: [ConfigurationProblem] = []
        func need(_ key: String, _ isThere: Bool, _ message: String) {
            if !isThere { found.append(.init(key: key, severity: .onPhonesOnly, message: message)) }
        }
        func holds(_ key: String, _ value: String) -> Bool { (info[key] as? [String])?.contains(value) == true }
        if !scheme.hasPrefix("https://") {
            let types = info["CFBundleURLTypes"] as? [[String: Any]] ?? []
            let schemes = types.flatMap { $0["CFBundleURLSchemes"] as? [String] ?? [] }
            need(
                "CFBundleURLTypes", schemes.contains { "\($0)://" == scheme },
                "Its CFBundleURLSchemes lack the scheme of MWDAT.AppLinkURLScheme, without ://; callbacks get lost.")
        }
        need(
            "UISupportedExternalAccessoryProtocols",
            holds("UISupportedExternalAccessoryProtocols", "com.meta.ar.wearable"),
            "It lacks com.meta.ar.wearable; a stream would wait for its device for ever.")
        for mode in ["bluetooth-peripheral", "external-accessory", "bluetooth-central", "processing"] {
            need("UIBackgroundModes", holds("UIBackgroundModes", mode), "It lacks \(mode); the link would drop.")
        }
        for key in ["NSBluetoothAlwaysUsageDescription", "NSLocalNetworkUsageDescription"] {
            need(key, info[key] is String, "It is missing; the glasses would not be found.")
        }
        need("NSBonjourServices", holds("NSBonjourServices", "_bonjour._tcp"), "It lacks _bonjour._tcp.")
        return found
    }
}
