import Dispatch

/// The paired glasses as the link told them last, and the handles that apps have of them.
struct DeviceRoster {
    private struct Handle {
        weak var device: Device?
    }

    private struct Claim: Equatable {
        var compatibility: Compatibility
        var firmware: String

        init(_ device: LinkDevice) {
            compatibility = device.state.compatibility
            firmware = device.firmware
        }
    }

    private let queue: DispatchQueue
    private let rule: TokenRule
    private var listed: [(record: LinkDevice, device: Device)] = []
    /// Handles of glasses that are not listed any more and that someone still holds.
    private var unlisted: [DeviceIdentifier: Handle] = [:]
    /// What glasses said of their software that then refused a session for it: that stands until they say something else.
    private var disproved: [DeviceIdentifier: Claim] = [:]

    init(on queue: DispatchQueue, rule: TokenRule) {
        self.queue = queue
        self.rule = rule
    }

    var identifiers: [DeviceIdentifier] { listed.map(\.record.identifier) }
    var records: [LinkDevice] { listed.map(\.record) }

    func record(_ identifier: DeviceIdentifier) -> LinkDevice? {
        listed.first { $0.record.identifier == identifier }?.record
    }

    func device(_ identifier: DeviceIdentifier) -> Device? {
        listed.first { $0.record.identifier == identifier }?.device
    }

    /// Takes the whole list; of an identifier that comes twice the first counts. Answers handles to be let go outside the lock: each
    /// may be the last reference to its device.
    mutating func replace(_ devices: [LinkDevice]) -> [Device] {
        let before = listed
        listed = []
        for device in devices where record(device.identifier) == nil {
            let known = before.first { $0.record.identifier == device.identifier }?.device
            let handle = known ?? unlisted.removeValue(forKey: device.identifier)?.device
            listed.append((device, handle ?? Device(device, on: queue, rule: rule)))
            update(listed.count - 1, device)
        }
        let gone = before.filter { record($0.record.identifier) == nil }
        for entry in gone {
            var record = entry.record
            record.state.linkState = .disconnected
            entry.device.update(record)
            unlisted[record.identifier] = Handle(device: entry.device)
        }
        let held = unlisted.compactMapValues(\.device)
        unlisted = unlisted.filter { held[$0.key] != nil }
        disproved = disproved.filter { record($0.key) != nil || unlisted[$0.key] != nil }
        return gone.map(\.device) + Array(held.values)
    }

    /// Takes a report of one of them; one that is not listed is left out, since only the list says what is paired.
    mutating func update(_ device: LinkDevice) {
        guard let place = listed.firstIndex(where: { $0.record.identifier == device.identifier }) else { return }
        update(place, device)
    }

    /// The glasses refused a session for their software: that is what they are from now on, whatever they said.
    mutating func refusedForCompatibility(_ identifier: DeviceIdentifier) {
        guard let place = listed.firstIndex(where: { $0.record.identifier == identifier }) else { return }
        let record = listed[place].record
        if record.state.compatibility == .deviceUpdateRequired || record.state.compatibility == .sdkUpdateRequired {
            return
        }
        disproved[identifier] = Claim(record)
        update(place, record)
    }

    private mutating func update(_ place: Int, _ device: LinkDevice) {
        var device = device
        if disproved[device.identifier] == Claim(device) {
            device.state.compatibility = .deviceUpdateRequired
        } else {
            disproved[device.identifier] = nil
        }
        listed[place].record = device
        listed[place].device.update(device)
    }
}
