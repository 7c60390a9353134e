/// Which way a ``FlexBox`` lays out its children.
public enum Direction: String, CaseIterable, Encodable, Sendable {
    /// From left to right.
    case row
    /// From top to bottom.
    case column
    /// From right to left.
    case rowReverse
    /// From bottom to top.
    case columnReverse
}

/// Where children stand along one axis of a ``FlexBox``.
public enum Alignment: String, CaseIterable, Encodable, Sendable {
    case start
    case center
    case end
    /// They fill the axis.
    case stretch
}

/// Where the buttons of a ``ButtonGroup`` stand.
public enum ButtonGroupAlignment: String, CaseIterable, Encodable, Sendable {
    case start
    case center
    case end
    /// They fill the row in equal parts.
    case stretch
}

/// One edge of a component.
public enum Edge: String, CaseIterable, Encodable, Sendable {
    case top
    case bottom
    case leading
    case trailing
}
