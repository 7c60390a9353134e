import Foundation
import GlassesAssistant
import GlassesAudio
import GlassesDomain

/// The sign that a tool still runs.
extension SessionDriver {
    private static let soundBytes = 4 << 20

    /// Looks at an event of the session.
    func followProgress(_ event: AssistantEvent) {
        switch ports.progress {
        case .default, .off: return
        case .custom, .earcon: break
        }
        switch progress.apply(event, at: ports.clock.now()) {
        case .schedule(let moment):
            let clock = ports.clock
            progressTask?.cancel()
            progressTask = Task(executorPreference: RuntimeThreads.shared) { [weak self] in
                do {
                    try await clock.sleepUntil(moment)
                } catch {
                    return  // Cancelled: there is nothing to wait for any more.
                }
                await self?.progressDue()
            }
        case .cancel: progressTask?.cancel()
        case nil: break
        }
    }

    private func progressDue() async {
        guard progress.isDue() else { return }
        switch ports.progress {
        case .default, .off: break
        case .custom(let phrase):
            if case .failed(let failure) = await perform(.say(text: phrase)) {
                ports.events.log(.info, "progress.not_said", ["reason": .string("\(failure.assistantError)")])
            }
        case .earcon(let resource): playSign(resource)
        }
    }

    private func playSign(_ resource: URL) {
        do {
            let file = try ports.pictures.files.read(resource.path, Self.soundBytes)
            let audio = try WAVReader.read([UInt8](file))
            let sound = PlaybackSound(
                name: "progress", samples: try audio.mono(), sampleRate: audio.sampleRate, ducks: true)
            ports.output.play(sound) { _ in }
        } catch {
            ports.events.log(.warn, "progress.sound_unusable", ["reason": .string("\(error)")])
        }
    }
}
