extension Refusal {
    static let noSuchDevice = Refusal(
        .notFound,
        "No such glasses are known: register the app, allow it something in the companion app, and pair the glasses.",
        isRetryable: true)
    static let noSelection = Refusal(
        .notFound, "The selector has no glasses: see Wearables.readiness() for what each of them lacks.",
        isRetryable: true)
    static let notRegistered = Refusal(
        .trust, "The app is not registered: call startRegistration().", isRetryable: true)
    static let alreadyRegistered = Refusal(.trust, "The app is registered already.", isRetryable: false)
    static let noLink = Refusal(
        .companion, "There are no glasses to talk to: enable the mock device kit, or connect a bridge to a phone.",
        isRetryable: true)
    static let notOpened = Refusal(.companion, "The link to the glasses is being opened.", isRetryable: true)
    static let linkReplaced = Refusal(
        .transport, "The link to the glasses was replaced by another one.", isRetryable: true)
    static let registrationTimeout = Refusal(
        .timeout, "The registration was not answered within a minute: confirm it in the companion app, or try again.",
        isRetryable: true)
    static let unregistrationTimeout = Refusal(
        .timeout, "The unregistration was not answered within a minute: try again.", isRetryable: true)
    static let registrationRefused = Refusal(
        .companion,
        "The companion app ended the registration without a reason: check Developer Mode or the release channel.",
        isRetryable: true)
    static let unregistrationRefused = Refusal(
        .companion, "The companion app did not remove the registration and gave no reason: try again.",
        isRetryable: true)
    static let unregistered = Refusal(
        .trust, "The app's registration was removed: register it again.", isRetryable: true)
    static let configurationInvalid = Refusal(
        .configuration, "A key of the configuration prevents registration: see Wearables.configurationProblems.",
        isRetryable: false)
    static let noConnection = Refusal(
        .link, "Glasses are known, but none can be reached: switch them on, unfold them and bring them near.",
        isRetryable: true)
    static let permissionTimeout = Refusal(
        .timeout, "The permission was not answered in time: answer it in the companion app, or try again.",
        isRetryable: true)
    static let requestInProgress = Refusal(
        .occupied, "Another permission request is open: answer it in the companion app first.", isRetryable: true)
    static let navigationTimeout = Refusal(
        .timeout, "The companion app did not show the page in time.", isRetryable: true)
    static let sessionExists = Refusal(
        .occupied, "The glasses have a session that has not stopped: stop it, or make one that takes over.",
        isRetryable: true)
    static let startTimeout = Refusal(
        .timeout, "The glasses did not start the session within 10 seconds: wake them, and try again.",
        isRetryable: true)
    static let connectTimeout = Refusal(
        .link, "The glasses were not connected within 10 seconds: bring them near, and try again.", isRetryable: true)
    static let endedWhileStarting = Refusal(
        .endedByDevice, "Session ended by device: wait a moment, and try again.", isRetryable: true)
    static let deviceGone = Refusal(
        .link, "The glasses cannot be reached any more: switch them on, bring them near, and make a new session.",
        isRetryable: true)
    static let deviceFolded = Refusal(
        .hinges, "The glasses were folded: unfold them, and make a new session.", isRetryable: true)
    static let takenOver = Refusal(.occupied, "Another session of this app took the glasses over.", isRetryable: true)
}
