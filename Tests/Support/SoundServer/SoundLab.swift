import Foundation
import Glibc

/// The ALSA configuration of this test process and the folder that everything of these tests lives in.
///
/// ALSA_CONFIG_PATH is one for the process and ALSA caches the file, so it is written once and names every PCM that any
/// test uses: those of the private PulseAudio servers, which a test starts where it needs one, and the fault PCMs.
public enum SoundLab {
    /// Where sockets, state and recordings are; removed when the process ends.
    public static let folder: URL = {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("extentos-sound-\(getpid())")
        do {
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        } catch {
            preconditionFailure("no folder for the sound tests: \(error)")
        }
        atexit {
            do { try FileManager.default.removeItem(at: SoundLab.folder) } catch { print("left behind: \(error)") }
        }
        return folder
    }()

    /// The ALSA configuration of this process, for its children too.
    public static var configurationFile: URL { folder.appendingPathComponent("asound.conf") }

    private static let configuration: Void = {
        let text = "</usr/share/alsa/alsa.conf>\n" + PrivatePulse.definitions + FaultPCM.definitions
        let file = configurationFile
        do {
            try text.write(to: file, atomically: true, encoding: .utf8)
        } catch {
            preconditionFailure("no configuration for the sound tests: \(error)")
        }
        setenv("ALSA_CONFIG_PATH", file.path, 1)
    }()

    /// Makes the configuration take effect.
    public static func prepare() { configuration }
}

/// Waits until `condition` holds, or `seconds` have passed; true when it came to hold.
public func eventually(within seconds: Double, _ condition: () -> Bool) async -> Bool {
    let end = ContinuousClock.now + .seconds(seconds)
    while !condition() {
        if ContinuousClock.now >= end || Task.isCancelled { return condition() }
        do { try await Task.sleep(for: .milliseconds(5)) } catch { return condition() }
    }
    return true
}
