import CGlassesPlugin
import GlassesDomain

/// The one instance that a child carries, driven by the host's calls.
protocol HostedInstance: AnyObject, Sendable {
    /// Carries out a call on the thread of its lane; `descriptors` become the instance's.
    func perform(_ call: PluginCall, descriptors: [Int32]) throws(WireError) -> glasses_result
    /// Ends the instance. [host]
    func destroy()
}

/// Why there is no instance.
struct OpeningFailure: Error, Sendable, Hashable {
    var stage: OpeningStage
    var result: Int32 = 0
    var detail: CText?

    var message: ChildMessage { .notOpened(stage, result: result, detail: detail) }
}

extension OpeningFailure {
    /// A library that could not become a plugin.
    init(_ error: PluginLoadError) {
        switch error {
        case .notLoadable(let reason):
            self.init(stage: .notLoadable, detail: CText(bytes: Array(reason.utf8.prefix(CText.messageLimit))))
        case .entryMissing: self.init(stage: .entryMissing)
        case .entryInvalid, .hung: self.init(stage: .entryInvalid)
        case .unsupportedABI(let version):
            self.init(stage: .unsupportedABI, detail: CText(bytes: Array(version.description.utf8)))
        case .activationRefused(let result): self.init(stage: .activationRefused, result: result)
        }
    }

    /// A result that is not OK.
    static func check(_ result: glasses_result, _ stage: OpeningStage) throws(OpeningFailure) {
        guard result == GLASSES_OK else { throw OpeningFailure(stage: stage, result: result) }
    }
}

/// Makes the instance of an opening. [host]
struct HostedOpening {
    /// The instance, and the message that tells the host about it.
    struct Opened {
        var instance: any HostedInstance
        var message: ChildMessage
    }

    let opening: PluginOpening
    let outbox: ChildOutbox
    private(set) var library: PluginLibrary

    /// Loads and activates the plugin.
    init(_ opening: PluginOpening, _ outbox: ChildOutbox) throws(OpeningFailure) {
        self.opening = opening
        self.outbox = outbox
        do throws(PluginLoadError) {
            library = try PluginLibrary.open(opening.library)
            try library.activate(
                HostTable { severity, text in
                    outbox.sendIfPossible(.log(severity: severity.c, CText(bytes: Array(text.utf8))))
                })
        } catch {
            throw OpeningFailure(error)
        }
    }

    /// Makes the instance.
    func run() throws(OpeningFailure) -> Opened {
        switch opening.kind {
        case .transport: try HostedTransport.open(self)
        case .stt: try HostedRecogniser.open(self)
        case .tts: try HostedSynthesiser.open(self)
        case .vad: try HostedDetector.open(self)
        case .brain: throw OpeningFailure(stage: .factoryMissing)
        }
    }

    /// A copy of the factory struct named `id`.
    func factory<T>(_ id: String, as type: T.Type) throws(OpeningFailure) -> T {
        guard let table = library.factory(id).flatMap({ CStruct.copy($0, as: type, firstFunction: 8) }) else {
            throw OpeningFailure(stage: .factoryMissing)
        }
        return table
    }

    /// The instance's own table, after its factory made it.
    func table<T>(_ made: UnsafePointer<T>?) throws(OpeningFailure) -> T {
        guard let made, let table = CStruct.copy(made, as: T.self, firstFunction: 16) else {
            throw OpeningFailure(stage: .brokenStruct)
        }
        return table
    }

    /// Activates an instance and reads what it says of itself; one that fails is destroyed.
    func describe(
        activate: () -> glasses_result, describe: PluginDescription.Describe, destroy: () -> Void
    ) throws(OpeningFailure) -> CText {
        do throws(OpeningFailure) {
            try OpeningFailure.check(activate(), .instanceRefused)
            guard let description = PluginDescription.raw(describe) else { throw OpeningFailure(stage: .notDescribed) }
            return description
        } catch {
            destroy()
            throw error
        }
    }
}
