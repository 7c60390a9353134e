/// A part of a session, such as its stream, as the versions 0.6 and 0.7 named it.
@available(*, deprecated, message: "Stop a camera or a display by its own stop()")
public protocol Capability: AnyObject, Sendable {
    /// Whether the part is in use.
    var capabilityState: CapabilityState { get }
}

extension DeviceSession {
    /// Adds a part that was made for this session; only the toolkit's own can be added.
    ///
    /// - Throws: why it cannot be added.
    @available(*, deprecated, message: "Use addCamera(config:) or addDisplay()")
    public func addCapability(_ capability: any Capability) throws(DeviceSessionError) {
        guard let part = capability as? any SessionCapability else {
            throw .unexpectedError("Only cameras and displays of this toolkit can be added to a session.")
        }
        try attach(part)
    }

    /// Stops a part and takes it out; its place is free once it has stopped.
    ///
    /// - Throws: `capabilityNotFound` when the session does not have it, `sessionAlreadyStopped` at the end.
    @available(*, deprecated, message: "Stop the camera or the display")
    public func removeCapability(_ capability: any Capability) throws(DeviceSessionError) {
        try hub.remove(capability as? any SessionCapability, from: self)
    }
}
