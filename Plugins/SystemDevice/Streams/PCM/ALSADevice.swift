import CALSA
import Glibc

/// The direction of a stream.
enum StreamDirection: Sendable {
    case capture, playback

    fileprivate var alsa: snd_pcm_stream_t {
        switch self {
        case .capture: SND_PCM_STREAM_CAPTURE
        case .playback: SND_PCM_STREAM_PLAYBACK
        }
    }
}

/// A PCM of libasound. Belongs to the thread that opened it, to its end.
final class ALSADevice: PCMDevice {
    let periodFrames: Int
    let bufferFrames: Int
    private let pcm: OpaquePointer
    private let configuration: OpaquePointer?
    private let descriptors: UnsafeMutablePointer<pollfd>
    private let descriptorCount: Int

    /// More descriptors than any PCM has: ioplugs use one, multi-device PCMs one for each slave.
    private static let descriptorLimit = 16

    private init(pcm: OpaquePointer, configuration: OpaquePointer?, periodFrames: Int, bufferFrames: Int) {
        self.pcm = pcm
        self.configuration = configuration
        self.periodFrames = periodFrames
        self.bufferFrames = bufferFrames
        descriptorCount = min(max(0, Int(snd_pcm_poll_descriptors_count(pcm))), Self.descriptorLimit)
        descriptors = .allocate(capacity: Self.descriptorLimit + 2)
        descriptors.initialize(repeating: pollfd(), count: Self.descriptorLimit + 2)
    }

    deinit { descriptors.deallocate() }

    /// Opens and configures the PCM called `name`, and prepares it. May block as long as a sound server hangs.
    static func open(_ name: String, _ direction: StreamDirection, timing: StreamTiming) throws(StreamFailure)
        -> ALSADevice
    {
        ALSAMessages.divert()
        var handle: OpaquePointer?
        var configuration: OpaquePointer?
        let opened = calsa_open(
            &handle, &configuration, PlugDefinition.text(slave: name), PlugDefinition.name, direction.alsa)
        guard opened >= 0, let pcm = handle else { throw StreamFailure(alsa: opened) }
        do throws(StreamFailure) {
            let sizes = try ALSAConfiguration.apply(to: pcm, direction, timing)
            let prepared = snd_pcm_prepare(pcm)
            guard prepared >= 0 else { throw StreamFailure(alsa: prepared) }
            return ALSADevice(
                pcm: pcm, configuration: configuration, periodFrames: sizes.period, bufferFrames: sizes.buffer)
        } catch {
            snd_pcm_close(pcm)
            snd_config_delete(configuration)
            throw error
        }
    }

    func available() -> Int { Int(snd_pcm_avail_update(pcm)) }

    func delay() -> Int {
        var frames: snd_pcm_sframes_t = 0
        return snd_pcm_delay(pcm, &frames) < 0 ? -1 : max(0, Int(frames))
    }

    func write(_ samples: UnsafePointer<Int16>, _ count: Int) -> Int { Int(snd_pcm_writei(pcm, samples, UInt(count))) }
    func read(_ samples: UnsafeMutablePointer<Int16>, _ count: Int) -> Int {
        Int(snd_pcm_readi(pcm, samples, UInt(count)))
    }
    func start() -> Int32 { snd_pcm_start(pcm) }
    func drop() -> Int32 { snd_pcm_drop(pcm) }
    func prepare() -> Int32 { snd_pcm_prepare(pcm) }
    func resume() -> Int32 { snd_pcm_resume(pcm) }

    func wait(isForDevice: Bool, _ first: Int32, _ second: Int32, nanoseconds: Int64) {
        descriptors[0] = pollfd(fd: first, events: Int16(POLLIN), revents: 0)
        descriptors[1] = pollfd(fd: second, events: Int16(POLLIN), revents: 0)
        var filled = 0
        if isForDevice {
            filled = max(0, Int(snd_pcm_poll_descriptors(pcm, descriptors + 2, UInt32(descriptorCount))))
        }
        // An interrupted wait is a short one: the loop looks again.
        guard poll(descriptors, nfds_t(2 + filled), wholeMilliseconds(nanoseconds)) > 0, filled > 0 else { return }
        // ioplugs set their descriptors back in this call; what it answers shows in available() too.
        var events: UInt16 = 0
        _ = snd_pcm_poll_descriptors_revents(pcm, descriptors + 2, UInt32(filled), &events)
    }

    func close() {
        _ = snd_pcm_drop(pcm)
        _ = snd_pcm_close(pcm)
        if let configuration { snd_config_delete(configuration) }
    }
}
