extension StreamDriver {
    /// The stream of an ALSA device; a loudspeaker notes what it plays in `echo`.
    package convenience init(port: StreamPort, timing: StreamTiming, reports: Reports, echo: EchoSource? = nil) {
        self.init(port: port, job: { Self.job(port, timing, $0, echo) }, reports: reports)
    }

    private static func job(
        _ port: StreamPort, _ timing: StreamTiming, _ flushes: FlushRequests, _ echo: EchoSource?
    ) -> StreamJob {
        StreamJob(
            threadName: "\(port.noun) audio",
            open: {
                do throws(StreamFailure) {
                    return .success(try ALSADevice.open(port.device, port.direction, timing: timing))
                } catch {
                    return .failure(error)
                }
            },
            work: { device in
                switch port.direction {
                case .capture: CaptureWorker(device: device)
                case .playback: PlaybackWorker(device: device, flushes: flushes, reference: echo?.timeline)
                }
            })
    }
}
