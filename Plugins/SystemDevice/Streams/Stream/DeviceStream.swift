import GlassesPluginKit

/// A stream as the plugin starts and stops it.
package protocol DeviceStream: Sendable {
    /// Begins to fill or play `ring`; `ending` comes within 2 s. [any]
    func start(_ ring: AudioRing, ending: @escaping StreamDriver.Ending)
    /// Ends the stream; after `ending`, within 2 s, the ring is not touched again. [any]
    func stop(ending: @escaping StreamDriver.Ending)
    /// Begins to end everything; the ring is not touched after ``awaitEnd()``. [any]
    func shutdown()
    /// Waits for the end that ``shutdown()`` began, less than 2 s.
    func awaitEnd()
}

extension StreamDriver: DeviceStream {}
