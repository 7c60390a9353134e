public import CGlassesPlugin
import Foundation
import GlassesPluginKit
import Synchronization

/// The plugin's only exported symbol.
@c(glasses_plugin_entry)
public func glassesPluginEntry() -> UnsafePointer<glasses_entry>? {
    PluginEntry.make(transport: HummingDevice.self)
}

/// A first plugin in Swift: a device whose microphone hears a hum. Setting: `pitch`, 50 to 2,000 Hz, default 200.
final class HummingDevice: MicrophonePlugin {
    private static let device = PluginDevice(id: "hum", modelName: "Hum", firmwareVersion: "1", vendor: "example")
    private static let rate = 16_000

    private let host: TransportHost
    private let pitch: Double
    private let state = Mutex(State())

    private struct State {
        var isConnected = false
        var capture: Capture?
    }

    init(settings: PluginSettings, host: TransportHost) throws(PluginFailure) {
        pitch = try settings.double("pitch") ?? 200
        guard (50...2_000).contains(pitch) else {
            throw .invalid("invalid_settings", "The setting pitch has to be from 50 to 2000 Hz.")
        }
        self.host = host
    }

    var description: TransportDescription {
        TransportDescription(name: "Humming device", device: Self.device, microphoneRate: Self.rate)
    }

    // Calls only start something: what takes its time completes the request later, from a thread of the plugin's own.
    func connect(_ request: PluginRequest, deviceId: String?) throws(PluginFailure) {
        guard deviceId == nil || deviceId == Self.device.id else {
            throw .unavailable("no_such_device", "This transport has one device, \"\(Self.device.id)\".")
        }
        let wasConnected = state.withLock { state in
            defer { state.isConnected = true }
            return state.isConnected
        }
        guard !wasConnected else { throw .wrongState("The device is connected already.") }
        host.reportConnected(Self.device)
        request.complete()
    }

    func disconnect(_ request: PluginRequest) throws(PluginFailure) {
        endCapture()
        state.withLock { $0.isConnected = false }
        host.reportDisconnected(.userRequested)
        request.complete()
    }

    func startMicrophone(_ request: PluginRequest, ring: AudioRing) throws(PluginFailure) {
        let capture = Capture(ring: ring, pitch: pitch)
        let isStarted = state.withLock { state in
            guard state.isConnected, state.capture == nil else { return false }
            state.capture = capture
            return true
        }
        guard isStarted else { throw .wrongState("Connect the device, and start its microphone once.") }
        capture.start()
        request.complete()
    }

    func stopMicrophone(_ request: PluginRequest) throws(PluginFailure) {
        endCapture()
        // The ring is not touched after this.
        request.complete()
    }

    func shutdown() { endCapture() }

    private func endCapture() {
        let capture = state.withLock { state in
            defer { state.capture = nil }
            return state.capture
        }
        capture?.end()
    }
}

/// The [audio] thread: allocates nothing, locks nothing and logs nothing while it runs.
private final class Capture: Sendable {
    private let ring: AudioRing
    private let hum: [Int16]
    private let mustStop = Atomic(false)
    private let ended = DispatchSemaphore(value: 0)

    init(ring: AudioRing, pitch: Double) {
        self.ring = ring
        let step = 2 * Double.pi * pitch / Double(ring.sampleRate)
        hum = (0..<Int(ring.sampleRate) / 50).map { Int16(3_000 * sin(step * Double($0))) }
    }

    func start() { Thread.detachNewThread { self.run() } }

    /// Returns when the thread does not touch the ring any more: after one block of 20 ms at most.
    func end() {
        mustStop.store(true, ordering: .releasing)
        ended.wait()
    }

    private func run() {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        var start = Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
        hum.withUnsafeBufferPointer { block in
            guard let samples = block.baseAddress else { return }
            while !mustStop.load(ordering: .acquiring) {
                let end = start + 20_000_000
                var due = timespec(tv_sec: Int(end / 1_000_000_000), tv_nsec: Int(end % 1_000_000_000))
                while clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &due, nil) == EINTR {}
                // A block goes to the host when its time is over, with the time of its first frame.
                ring.write(samples, count: UInt32(block.count), time: start)
                ring.signal()
                start = end
            }
        }
        ended.signal()
    }
}
