/// What a partial update says about one nullable field.
public enum FieldUpdate<Value> {
    /// The field is absent: it keeps its value.
    case keep
    /// The field is null: it is turned off.
    case clear
    /// The field has a new value.
    case set(Value)
}

extension FieldUpdate: Sendable where Value: Sendable {}
extension FieldUpdate: Equatable where Value: Equatable {}
extension FieldUpdate: Hashable where Value: Hashable {}

extension FieldUpdate {
    /// The new value; nil for ``keep`` and ``clear``.
    public var value: Value? { if case .set(let value) = self { value } else { nil } }

    /// `current` after the update.
    public func applied(to current: Value?) -> Value? {
        switch self {
        case .keep: current
        case .clear: nil
        case .set(let value): value
        }
    }
}
