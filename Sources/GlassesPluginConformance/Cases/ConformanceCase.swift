/// Which part of a plugin a promise is about.
public enum ConformanceSubject: String, Sendable, Hashable, CaseIterable {
    /// `plugin.json` and the library's file.
    case manifest
    /// The entry and its factories.
    case entry
    /// A transport's connection.
    case transport
    /// A transport's microphone.
    case microphone
    /// A transport's loudspeaker.
    case speaker
    /// A transport's camera.
    case camera
    /// A transport's display.
    case display
    /// A transport's registration with a vendor, and the wearer's permissions.
    case registration
    /// What a transport tells of its device's condition.
    case power
    /// What a transport tells of the wearer's gestures.
    case input
    /// A speech recogniser.
    case stt
    /// A speech synthesiser.
    case tts
    /// A detector of voice activity.
    case vad
}

/// One promise of the ABI, and how it is held against a plugin.
struct ConformanceCase: Sendable {
    /// The name, such as `microphone.blocks`; stable between versions.
    let id: String
    /// What it is about.
    let subject: ConformanceSubject
    /// What the ABI promises, in one line.
    let promise: String
    /// The cases without which this one says nothing: unless all of them passed, it is skipped.
    let needs: [String]
    /// After this the plugin counts as hung.
    let limit: Duration
    /// Tries it. Runs in a process of its own, on its main thread, which is the plugin's [host] thread.
    let check: @Sendable (CaseRun) throws(CaseEnd) -> Void

    /// More than the longest wait of most cases, 10 s for a connect; a machine under load gets as much again.
    static let usualLimit = Duration.seconds(25)

    init(
        _ id: String, _ subject: ConformanceSubject, _ promise: String, needs: [String] = [],
        limit: Duration = usualLimit, check: @escaping @Sendable (CaseRun) throws(CaseEnd) -> Void
    ) {
        self.id = id
        self.subject = subject
        self.promise = promise
        self.needs = needs
        self.limit = limit
        self.check = check
    }
}

/// Why a case ended before its last line.
enum CaseEnd: Error, Sendable, Hashable {
    /// The promise is broken; the reason is a sentence for the plugin's author.
    case failed(String)
    /// It could not be tried here.
    case skipped(String)
}

/// Fails the case unless `condition` holds.
func expect(_ condition: Bool, _ reason: @autoclosure () -> String) throws(CaseEnd) {
    if !condition { throw .failed(reason()) }
}
