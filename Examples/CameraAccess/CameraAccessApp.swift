// The DAT sample app for the terminal: register, choose glasses, start a session, preview, photo, fold and resume, stop.
// `swift run CameraAccess` asks for commands; `swift run CameraAccess "register; start; preview; look; photo; stop"` runs these.
// The glasses are simulated: the mock device kit stands where a phone's link would be.
import Foundation
import MWDATCamera
import MWDATCore
import MWDATMockDevice

@main
@MainActor
struct CameraAccessApp {
    /// The toolkit itself gives a stream up sooner.
    private static let previewTime: Duration = .seconds(15)

    private let wearables: WearablesViewModel
    private let preview: StreamViewModel
    private let glasses: any MockGlasses

    static func main() async {
        do {
            let app = try CameraAccessApp()
            try await app.run(CommandLine.arguments.dropFirst().joined(separator: " "))
        } catch {
            FileHandle.standardError.write(Data("\(error)\n".utf8))
            exit(1)
        }
    }

    private init() throws {
        // Not registered and with nothing allowed, as on the first day.
        MockDeviceKit.shared.enable(
            config: MockDeviceKitConfig(initiallyRegistered: false, initialPermissionsGranted: false))
        glasses = try MockDeviceKit.shared.pairGlasses(model: .rayBanMeta)
        glasses.don()
        wearables = WearablesViewModel()
        preview = StreamViewModel { print("  \($0)") }
        wearables.observe { print("  \($0)") }
    }

    private func run(_ script: String) async throws {
        guard script.isEmpty else {
            for command in script.split(separator: ";") { try await perform(words(of: command)) }
            return await end()
        }
        print(Self.help)
        for await line in Self.typedLines() {
            let words = words(of: Substring(line))
            if words.first == "quit" { break }
            // What was typed wrongly ends nothing.
            do { try await perform(words) } catch { print("\(error)") }
        }
        await end()
    }

    private func end() async {
        if preview.session != nil { do { try await preview.stopSession() } catch { print("\(error)") } }
        wearables.stopObserving()
        await MockDeviceKit.shared.disable()
    }

    private func words(of line: Substring) -> [String] { line.split(separator: " ").map(String.init) }

    private static let help = """
        register · devices · choose N · start · preview · look · photo [FILE] · end-preview · stop · unregister
        fold · unfold · wear · take-off · tap (what the wearer does) · quit
        """

    private func perform(_ words: [String]) async throws {
        guard let command = words.first else { return }
        print("> \(words.joined(separator: " "))")
        switch command {
        case "register": try await wearables.register()
        case "unregister": try await wearables.unregister()
        case "devices": for line in wearables.deviceLines() { print(line) }
        case "choose": try wearables.choose(words.count > 1 ? Int(words[1]) ?? 0 : 0)
        case "start": try await preview.startSession(with: wearables.chosen, missing: wearables.whatIsMissing())
        case "preview": try await showPreview()
        case "look": try await look()
        case "photo": try await savePhoto(words.count > 1 ? words[1] : "photo.jpg")
        case "end-preview": try await preview.stopPreview()
        case "stop": try await preview.stopSession()
        case "fold": glasses.fold()
        case "unfold": glasses.unfold()
        case "wear": glasses.don()
        case "take-off": glasses.doff()
        case "tap": glasses.services.captouch.tap()
        default: print(Self.help)
        }
        await settle(after: command)
    }

    /// What the wearer does is told a moment later.
    private func settle(after command: String) async {
        guard ["fold", "unfold", "wear", "take-off", "tap"].contains(command) else { return }
        do { try await Task.sleep(for: .milliseconds(300)) } catch { return }
    }

    private func showPreview() async throws {
        try preview.startPreview()
        guard let stream = preview.stream else { return }
        let limit = ContinuousClock.now + Self.previewTime
        while ContinuousClock.now < limit {
            // No state tells why a stream waits. One that waits begins by itself later.
            if let reason = stream.endReason ?? stream.waitReason { return print(reason.message) }
            if stream.state == .streaming || stream.state == .paused { return }
            try await Task.sleep(for: .milliseconds(20))
        }
        print("The preview has not begun yet.")
    }

    private func look() async throws {
        guard preview.stream != nil, let picture = try await preview.nextPicture() else {
            throw CameraAccessError.noPreview
        }
        for line in TerminalPicture.lines(of: picture) { print(line) }
        print("picture \(preview.pictures), \(picture.width) × \(picture.height) pixels")
    }

    private func savePhoto(_ path: String) async throws {
        let data = try await preview.takePhoto()
        try data.write(to: URL(fileURLWithPath: path), options: .atomic)
        print("photo of \(data.count) bytes in \(path)")
    }

    /// Lines of the standard input, read on a thread of their own so that the app goes on.
    private static func typedLines() -> AsyncStream<String> {
        AsyncStream { continuation in
            Thread.detachNewThread {
                while let line = readLine() { continuation.yield(line) }
                continuation.finish()
            }
        }
    }
}
