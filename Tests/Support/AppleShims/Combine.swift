/// An object whose changes a view would follow.
public protocol ObservableObject: AnyObject {}

/// A property whose changes a view would follow; here it is only stored.
@propertyWrapper
public struct Published<Value> {
    /// The property's value.
    public var wrappedValue: Value

    /// A property that begins with this value.
    public init(wrappedValue: Value) {
        self.wrappedValue = wrappedValue
    }
}

extension Published: Sendable where Value: Sendable {}
