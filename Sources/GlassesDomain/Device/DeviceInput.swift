/// One gesture of the wearer that selects nothing on a display.
public struct DeviceInput: Sendable, Hashable {
    /// What the wearer did.
    public enum Gesture: String, Sendable, Hashable, CaseIterable {
        case tap
        case doubleTap = "double_tap"
        case hold
        case swipeForward = "swipe_forward"
        case swipeBack = "swipe_back"
    }

    /// What the wearer did.
    public var gesture: Gesture
    /// When; nil when it is not known.
    public var time: MonotonicTime?
    /// Which button or pad; nil when the device does not tell.
    public var control: String?
    /// Whether the transport concludes the gesture from what it caused, since the device does not tell it.
    public var isInferred: Bool

    /// A gesture.
    public init(_ gesture: Gesture, time: MonotonicTime? = nil, control: String? = nil, isInferred: Bool = false) {
        self.gesture = gesture
        self.time = time
        self.control = control
        self.isInferred = isInferred
    }
}
