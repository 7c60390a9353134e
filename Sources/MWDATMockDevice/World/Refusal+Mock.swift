import MWDATCore

// What the simulated world says when it refuses or ends something.
extension Refusal {
    static let kitDisabled = Refusal(
        .transport, "The mock device kit is not enabled. Call MockDeviceKit.shared.enable().", isRetryable: true)
    static let notRegistered = Refusal(
        .trust, "The app is not registered with the glasses. Call startRegistration().", isRetryable: true)
    static let appRemoved = Refusal(
        .trust, "The app was removed from the companion. Register again.", isRetryable: true)
    static let trustLost = Refusal(
        .trust, "The glasses no longer know the app. Register again.", isRetryable: true)
    static let noDevice = Refusal(.notFound, "No glasses are paired. Pair glasses first.", isRetryable: true)
    static let unknownDevice = Refusal(
        .notFound, "There are no such glasses, or they were never on and unfolded. Choose one of devices.",
        isRetryable: false)
    static let unpaired = Refusal(.notFound, "The glasses were unpaired. Pair them again.", isRetryable: false)
    static let notConnected = Refusal(
        .link, "The glasses are not connected. Switch them on, unfold them and bring them near.", isRetryable: true)
    static let outOfRange = Refusal(
        .link, "The link to the glasses was lost. Bring them near and start a new session.", isRetryable: true)
    static let crashed = Refusal(
        .link, "The glasses restart. Start a new session when they are connected again.", isRetryable: true)
    static let poweredOff = Refusal(.power, "The glasses are switched off. Switch them on.", isRetryable: true)
    static let folded = Refusal(
        .hinges, "The glasses are folded. Unfold them and start a new session.", isRetryable: true)
    static let notWorn = Refusal(.worn, "The glasses are not worn. Put them on and try again.", isRetryable: true)
    static let takenOff = Refusal(
        .worn, "The glasses were taken off. Put them on and start the stream again.", isRetryable: true)
    static let deviceTooOld = Refusal(
        .compatibility, "The glasses' software is too old. Update it in the companion.", isRetryable: true)
    static let toolkitTooOld = Refusal(
        .sdkVersion, "This app is too old for the glasses. Update the app.", isRetryable: false)
    static let tooHot = Refusal(.thermal, "The glasses are too hot. Let them cool down.", isRetryable: true)
    static let batteryEmpty = Refusal(.battery, "The battery is empty. Charge the glasses.", isRetryable: true)
    static let occupied = Refusal(
        .occupied, "Another session holds the glasses. End it, or start one that takes over.", isRetryable: true)
    static let takenOver = Refusal(
        .occupied, "Another app took over the glasses. Start a new session to take them back.", isRetryable: true)
    static let endedByWearer = Refusal(
        .endedByDevice, "The wearer ended the session. Start a new one when asked to.", isRetryable: true)
    static let endedByDevice = Refusal(
        .endedByDevice, "The glasses ended the session. Start a new one.", isRetryable: true)
    static let sessionClosed = Refusal(
        .notFound, "The session has ended. Start a new one.", isRetryable: false)
    static let cameraInUse = Refusal(
        .occupied, "The camera is in use. Wait until the last stream or photo has ended.", isRetryable: true)
    static let paused = Refusal(
        .endedByDevice, "The session is paused. Tap the right temple and try again.", isRetryable: true)
    static let permissionDenied = Refusal(
        .permission, "The camera is not allowed. Call requestPermission(.camera).", isRetryable: true)
    static let outOfMemory = Refusal(
        .resources, "The glasses' memory is full. Start again when it was freed.", isRetryable: true)
    static let noDisplay = Refusal(
        .notFound, "This model has no display. Choose glasses that have one.", isRetryable: false)
    static let displayNotStarted = Refusal(
        .notFound, "The display is not started. Start it and wait for its state.", isRetryable: true)
    static let viewUnreadable = Refusal(
        .media, "The view cannot be read by the display. Send another one.", isRetryable: false)
}
