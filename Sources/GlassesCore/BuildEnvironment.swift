import GlassesDomain

/// What a build looks like, which an app's own word can only be lowered to.
enum BuildEnvironment {
    /// What the runtime can tell of itself.
    static var classified: ExtentosEnvironment? {
        #if DEBUG
            .development
        #else
            nil
        #endif
    }

    /// The environment that counts: the lower of what the app declares and what the build looks like (nil trusts the app), and a
    /// sentence when they differ.
    static func reconcile(
        declared: ExtentosEnvironment, classified: ExtentosEnvironment?
    ) -> (effective: ExtentosEnvironment, mismatch: String?) {
        let order = ExtentosEnvironment.allCases
        guard let classified, let found = order.firstIndex(of: classified), let said = order.firstIndex(of: declared),
            found < said
        else { return (declared, nil) }
        return (classified, "The app declares \(declared.rawValue), but this is a \(classified.rawValue) build.")
    }
}
