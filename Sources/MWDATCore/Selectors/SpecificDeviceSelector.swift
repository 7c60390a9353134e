/// Chooses one pair of glasses, worn or not.
public final class SpecificDeviceSelector: DeviceSelector {
    /// The glasses' identifier.
    package let device: DeviceIdentifier
    private let wearables: (any WearablesInterface)?

    /// A selector of the glasses with that identifier.
    public convenience init(device: DeviceIdentifier) { self.init(device: device, wearables: nil) }

    /// A selector that looks at the glasses of `wearables` instead of the process's.
    package init(device: DeviceIdentifier, wearables: (any WearablesInterface)?) {
        self.device = device
        self.wearables = wearables
    }

    /// The glasses, when a session could be asked of them; before ``Wearables/configure()`` nil.
    public var activeDevice: DeviceIdentifier? {
        guard let source else { return nil }
        return Eligibility.refusal(of: source.deviceForIdentifier(device)?.snapshot) == nil ? device : nil
    }

    /// The glasses or nil now, and each change after it. It ends at once before ``Wearables/configure()``.
    public func activeDeviceStream() -> AnyAsyncSequence<DeviceIdentifier?> {
        guard let source else {
            return AsyncStream<DeviceIdentifier?> { continuation in
                continuation.yield(nil)
                continuation.finish()
            }.eraseToAnySequence()
        }
        return AvailabilityStream(device, of: source).eraseToAnySequence()
    }

    private var source: (any WearablesInterface)? { wearables ?? Wearables.sharedIfConfigured }
}

/// Whether one pair of glasses can be asked for a session, now and after each change.
private struct AvailabilityStream: AsyncSequence, Sendable {
    typealias Element = DeviceIdentifier?

    /// Follows the choice of a selector that knows only these glasses.
    struct AsyncIterator: AsyncIteratorProtocol {
        let selector: AutoDeviceSelector
        var base: AnyAsyncSequence<DeviceIdentifier?>.AsyncIterator

        mutating func next() async -> DeviceIdentifier?? { await base.next() }
    }

    private let identifier: DeviceIdentifier
    private let source: any WearablesInterface

    init(_ identifier: DeviceIdentifier, of source: any WearablesInterface) {
        self.identifier = identifier
        self.source = source
    }

    func makeAsyncIterator() -> AsyncIterator {
        let selector = AutoDeviceSelector(
            wearables: source, filter: { [identifier] in $0.identifier == identifier }, requiresDonned: false)
        return AsyncIterator(selector: selector, base: selector.activeDeviceStream().makeAsyncIterator())
    }
}
