/// Something on the screen. Nothing is drawn: only what a view does when it appears and when a URL is opened takes place.
@MainActor
public protocol View {
    associatedtype Body: View
    @ViewBuilder var body: Body { get }
}

/// A view that is not made of others.
@MainActor
protocol PrimitiveView {
    func appear(in window: Window)
}

/// What the views of a scene left to be done.
@MainActor
final class Window {
    private(set) var openers: [(URL) -> Void] = []
    private(set) var tasks: [@MainActor () async -> Void] = []

    func show(_ view: some View) {
        if let primitive = view as? any PrimitiveView {
            primitive.appear(in: self)
        } else {
            show(view.body)
        }
    }

    func add(opener: @escaping (URL) -> Void) { openers.append(opener) }

    func add(task: @escaping @MainActor () async -> Void) { tasks.append(task) }
}

/// Nothing.
public struct EmptyView: View, PrimitiveView {
    /// Nothing.
    public init() {}

    /// Itself.
    public var body: EmptyView { self }

    func appear(in window: Window) {}
}

/// A view with something to do.
public struct ActiveView<Content: View>: View, PrimitiveView {
    let content: Content
    let activate: @MainActor (Window) -> Void

    /// Itself.
    public var body: ActiveView { self }

    func appear(in window: Window) {
        activate(window)
        window.show(content)
    }
}

extension View {
    /// The view, which hands each URL that the app is opened with to `action`.
    public func onOpenURL(perform action: @escaping (URL) -> Void) -> ActiveView<Self> {
        ActiveView(content: self) { $0.add(opener: action) }
    }

    /// The view, which runs `action` when it appears.
    public func task(_ action: @escaping @MainActor () async -> Void) -> ActiveView<Self> {
        ActiveView(content: self) { $0.add(task: action) }
    }
}

/// Takes the one view of another.
@resultBuilder
public struct ViewBuilder {
    /// The view itself.
    public static func buildBlock<Content: View>(_ content: Content) -> Content { content }
}
