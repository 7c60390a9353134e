/// The outline of a panel.
public enum PanelShape: String, Sendable, Hashable, CaseIterable {
    case rect
    case circle
}

/// How a wearer selects what a panel shows.
public enum PanelInput: String, Sendable, Hashable, CaseIterable {
    case neuralBand
    case templeTouchpad
    case singleButton
    case headTap
}

/// How much is known of a panel.
public enum SimulationFidelity: String, Sendable, Hashable, CaseIterable {
    /// Measured on the device.
    case measured
    /// Translated from the vendor's numbers.
    case translated
    /// Derived from similar devices.
    case derived
}

/// The geometry of a device's panel.
public struct PanelGeometry: Sendable, Hashable {
    /// Pixels.
    public var widthPx: UInt32
    /// Pixels.
    public var heightPx: UInt32
    /// Pixels of one unit of gaps and paddings.
    public var unitScale: UInt32
    /// The outline.
    public var shape: PanelShape
    /// How the wearer selects.
    public var input: PanelInput
    /// The height of the smallest text that can be read, in pixels.
    public var minTextPx: UInt32
    /// How the numbers are known.
    public var fidelity: SimulationFidelity

    /// A geometry.
    public init(
        widthPx: UInt32, heightPx: UInt32, unitScale: UInt32, shape: PanelShape, input: PanelInput, minTextPx: UInt32,
        fidelity: SimulationFidelity
    ) {
        self.widthPx = widthPx
        self.heightPx = heightPx
        self.unitScale = unitScale
        self.shape = shape
        self.input = input
        self.minTextPx = minTextPx
        self.fidelity = fidelity
    }
}
