import GlassesPluginKit
import Synchronization

/// A microphone whose audio is processed on a thread of its own before the host gets it.
package final class ProcessedMicrophone: DeviceStream {
    private let driver: StreamDriver
    private let make: @Sendable () -> (any FrameProcessing)?
    private let session = Mutex<ProcessingSession?>(nil)

    /// A microphone with `settings` in front of `driver`; `reference` is what its echo comes from.
    package convenience init(_ driver: StreamDriver, _ settings: ProcessingSettings, reference: EchoSource?) {
        self.init(driver) {
            do throws(AudioProcessor.Failure) {
                return try MicrophoneProcessor(settings, reference: reference?.timeline)
            } catch {
                driver.reports.log("microphone: \(error.pluginFailure.message)")
                return nil
            }
        }
    }

    /// A microphone with processors from `make`, which is called on the processing thread.
    init(_ driver: StreamDriver, make: @escaping @Sendable () -> (any FrameProcessing)?) {
        self.driver = driver
        self.make = make
    }

    package func start(_ ring: AudioRing, ending: @escaping StreamDriver.Ending) {
        let new = ProcessingSession(host: ring, make: make)
        let isFree = session.withLock { session in
            guard session == nil else { return false }
            session = new
            return true
        }
        guard isFree else { return ending(.startedAlready("microphone")) }
        guard new.start() else {
            forget(new)
            return ending(.noThread)
        }
        driver.start(new.capture.ring) { failure in
            guard let failure else { return ending(nil) }
            self.end(new) { ending(failure) }
        }
    }

    package func stop(ending: @escaping StreamDriver.Ending) {
        driver.stop { failure in
            guard let current = self.session.withLock({ $0 }) else { return ending(failure) }
            self.end(current) { ending(failure) }
        }
    }

    package func shutdown() {
        driver.shutdown()
        session.withLock { $0 }?.end {}
    }

    package func awaitEnd() {
        driver.awaitEnd()
        session.withLock { $0 }?.awaitEnd()
    }

    private func end(_ ended: ProcessingSession, _ ending: @escaping @Sendable () -> Void) {
        ended.end {
            self.forget(ended)
            ending()
        }
    }

    private func forget(_ ended: ProcessingSession) {
        session.withLock { if $0 === ended { $0 = nil } }
    }
}
