import Foundation

/// Why a page of the companion could not be shown.
public enum NavigationError: Int, DatError, CaseIterable {
    /// There is no companion app, or it did not show the page; ``WearablesReadiness/lastRefusals`` has the reason.
    case metaAINotInstalled
    /// The app is not registered.
    case notRegistered

    /// A sentence for a person.
    public var description: String {
        switch self {
        case .metaAINotInstalled: "The companion app could not show the page: open the companion app, or install it."
        case .notRegistered: "The app is not registered: register it first."
        }
    }

    init(_ refusal: Refusal) { self = refusal.check == .trust ? .notRegistered : .metaAINotInstalled }
}
