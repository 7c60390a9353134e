/// A part of an app's user interface.
@MainActor
public protocol Scene {
    associatedtype Body: Scene
    @SceneBuilder var body: Body { get }
}

/// A window with a view.
public struct WindowGroup<Content: View>: Scene {
    let content: Content

    /// A window that shows `content`.
    public init(@ViewBuilder content: () -> Content) {
        self.content = content()
    }

    /// Itself.
    public var body: WindowGroup { self }
}

@MainActor
protocol PrimitiveScene {
    func appear(in window: Window)
}

extension WindowGroup: PrimitiveScene {
    func appear(in window: Window) { window.show(content) }
}

/// Takes the one scene of an app.
@resultBuilder
public struct SceneBuilder {
    /// The scene itself.
    public static func buildBlock<Content: Scene>(_ content: Content) -> Content { content }
}

/// A program with a user interface.
@MainActor
public protocol App {
    associatedtype Body: Scene
    @SceneBuilder var body: Body { get }
    init()
}

extension App {
    /// Makes the app, shows its scene, and ends when all that its views do on appearing has ended.
    public static func main() async {
        let app = Self()
        let window = Window()
        show(app.body, in: window)
        Application.window = window
        for task in window.tasks { await task() }
    }

    private static func show(_ scene: some Scene, in window: Window) {
        if let primitive = scene as? any PrimitiveScene {
            primitive.appear(in: window)
        } else {
            show(scene.body, in: window)
        }
    }
}

/// The app that runs.
@MainActor
public enum Application {
    static var window: Window?

    /// Opens the app with `url`, as another program would.
    public static func open(_ url: URL) {
        for opener in window?.openers ?? [] { opener(url) }
    }
}
