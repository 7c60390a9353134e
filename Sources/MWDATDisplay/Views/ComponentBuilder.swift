/// Collects the components of a ``FlexBox``: one after the other, in `for`, `if` and `switch`.
@resultBuilder
public struct ComponentBuilder {
    /// One component.
    public static func buildExpression(_ component: any ViewComponent) -> [any ViewComponent] { [component] }

    /// Statements one after the other.
    public static func buildBlock(_ parts: [any ViewComponent]...) -> [any ViewComponent] { parts.flatMap { $0 } }

    /// The turns of a loop.
    public static func buildArray(_ parts: [[any ViewComponent]]) -> [any ViewComponent] { parts.flatMap { $0 } }

    /// An `if` without `else`.
    public static func buildOptional(_ part: [any ViewComponent]?) -> [any ViewComponent] { part ?? [] }

    /// The first branch of a condition.
    public static func buildEither(first part: [any ViewComponent]) -> [any ViewComponent] { part }

    /// The other branch of a condition.
    public static func buildEither(second part: [any ViewComponent]) -> [any ViewComponent] { part }
}

/// Collects the buttons of a ``ButtonGroup``: one after the other, in `for`, `if` and `switch`.
@resultBuilder
public struct ButtonGroupBuilder {
    /// One button.
    public static func buildExpression(_ button: Button) -> [Button] { [button] }

    /// Statements one after the other.
    public static func buildBlock(_ parts: [Button]...) -> [Button] { parts.flatMap { $0 } }

    /// The turns of a loop.
    public static func buildArray(_ parts: [[Button]]) -> [Button] { parts.flatMap { $0 } }

    /// An `if` without `else`.
    public static func buildOptional(_ part: [Button]?) -> [Button] { part ?? [] }

    /// The first branch of a condition.
    public static func buildEither(first part: [Button]) -> [Button] { part }

    /// The other branch of a condition.
    public static func buildEither(second part: [Button]) -> [Button] { part }
}
