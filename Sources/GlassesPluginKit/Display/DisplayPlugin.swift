/// A transport with a display. Set ``TransportDescription/display`` too.
public protocol DisplayPlugin: TransportPlugin {
    /// Replaces what is shown by `tree`, an object as `docs/plugins.md` describes it; complete `request` when it is on the
    /// panel, or fail it, within 2 s. A later tree replaces one that is not on the panel yet.
    func show(_ tree: PluginJSON, request: PluginRequest) throws(PluginFailure)
    /// Blanks the panel; complete `request` within 2 s.
    func clearDisplay(_ request: PluginRequest) throws(PluginFailure)
}

/// The facts of a display.
public struct DisplayDescription: Sendable, Hashable {
    /// The outline of the panel.
    public enum Shape: String, Sendable, Hashable, CaseIterable {
        case rect
        case circle
    }

    /// How the wearer selects.
    public enum Input: String, Sendable, Hashable, CaseIterable {
        case neuralBand
        case templeTouchpad
        case singleButton
        case headTap
    }

    /// Pixels.
    public var width: Int
    /// Pixels.
    public var height: Int
    /// Pixels of one unit of the tree's gaps and paddings. Default 1.
    public var unitScale = 1
    /// The outline. Default a rectangle.
    public var shape = Shape.rect
    /// How the wearer selects. Default one button.
    public var input = Input.singleButton
    /// The height of the smallest text that can be read, in pixels. Default 16.
    public var minimumTextHeight = 16

    /// A panel of the given size.
    public init(width: Int, height: Int) {
        self.width = width
        self.height = height
    }

    var json: PluginJSON {
        [
            "widthPx": .number(Double(width)), "heightPx": .number(Double(height)),
            "unitScale": .number(Double(unitScale)), "shape": .string(shape.rawValue), "input": .string(input.rawValue),
            "minTextPx": .number(Double(minimumTextHeight)),
        ]
    }
}
