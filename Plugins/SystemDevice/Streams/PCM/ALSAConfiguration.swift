import CALSA

/// The period and buffer of a stream.
package struct StreamTiming: Equatable, Sendable {
    /// Milliseconds between two wakes of the device.
    package var periodMs: Int
    /// Milliseconds that the device holds.
    package var bufferMs: Int

    /// Frames per second of every stream, constant whatever the device has: ALSA converts.
    package static let rate = StreamFormat.rate

    /// A timing; the buffer holds at least three periods, which is what the PulseAudio plugin insists on.
    package init(periodMs: Int, bufferMs: Int) {
        self.periodMs = periodMs
        self.bufferMs = max(bufferMs, 3 * periodMs)
    }
}

/// Configures a PCM as every stream of this plugin is: 48 kHz, mono, 16 bits.
enum ALSAConfiguration {
    /// Sets hardware and software parameters and answers the sizes that the device took, in frames.
    static func apply(
        to pcm: OpaquePointer, _ direction: StreamDirection, _ timing: StreamTiming
    ) throws(StreamFailure) -> (period: Int, buffer: Int) {
        var hardware: OpaquePointer?
        try check(snd_pcm_hw_params_malloc(&hardware))
        defer { snd_pcm_hw_params_free(hardware) }
        let sizes = try setHardware(pcm, hardware, timing)
        var software: OpaquePointer?
        try check(snd_pcm_sw_params_malloc(&software))
        defer { snd_pcm_sw_params_free(software) }
        try check(snd_pcm_sw_params_current(pcm, software))
        try check(snd_pcm_sw_params_set_avail_min(pcm, software, UInt(sizes.period)))
        // Playback starts with its first period; capture is started by a call.
        let threshold = direction == .playback ? UInt(sizes.period) : UInt(sizes.buffer)
        try check(snd_pcm_sw_params_set_start_threshold(pcm, software, threshold))
        try check(snd_pcm_sw_params(pcm, software))
        return sizes
    }

    private static func setHardware(
        _ pcm: OpaquePointer, _ parameters: OpaquePointer?, _ timing: StreamTiming
    ) throws(StreamFailure) -> (period: Int, buffer: Int) {
        try check(snd_pcm_hw_params_any(pcm, parameters))
        try convertible(snd_pcm_hw_params_set_rate_resample(pcm, parameters, 1))
        try convertible(snd_pcm_hw_params_set_access(pcm, parameters, SND_PCM_ACCESS_RW_INTERLEAVED))
        try convertible(snd_pcm_hw_params_set_format(pcm, parameters, SND_PCM_FORMAT_S16))
        try convertible(snd_pcm_hw_params_set_channels(pcm, parameters, 1))
        try convertible(snd_pcm_hw_params_set_rate(pcm, parameters, UInt32(StreamFormat.rate), 0))
        var period = snd_pcm_uframes_t(StreamFormat.frames(milliseconds: timing.periodMs))
        try check(snd_pcm_hw_params_set_period_size_near(pcm, parameters, &period, nil))
        var buffer = max(snd_pcm_uframes_t(StreamFormat.frames(milliseconds: timing.bufferMs)), 3 * period)
        try check(snd_pcm_hw_params_set_buffer_size_near(pcm, parameters, &buffer))
        try check(snd_pcm_hw_params(pcm, parameters))
        try check(snd_pcm_hw_params_get_period_size(parameters, &period, nil))
        try check(snd_pcm_hw_params_get_buffer_size(parameters, &buffer))
        guard period > 0, buffer >= period else { throw StreamFailure(.unsupported) }
        return (Int(period), Int(buffer))
    }

    private static func check(_ result: Int32) throws(StreamFailure) {
        if result < 0 { throw StreamFailure(alsa: result) }
    }

    /// A refusal here means that not even the plug layer can convert.
    private static func convertible(_ result: Int32) throws(StreamFailure) {
        if result < 0 { throw StreamFailure(.unsupported, code: result) }
    }
}

/// The plug PCM that this plugin puts in front of every device, so that any rate, format and channel count will do.
enum PlugDefinition {
    /// The name that ``text(slave:)`` defines.
    static let name = "extentos_stream"

    /// The definition, in ALSA's configuration language. The better resamplers of libasound2-plugins come first; the
    /// last one is built in.
    static func text(slave: String) -> String {
        """
        pcm.\(name) {
            type plug
            slave.pcm \(quoted(slave))
            rate_converter [ "speexrate_medium" "samplerate" "linear" ]
        }

        """
    }

    /// `text` as a string of that language; control characters, which no PCM name has, are left out.
    private static func quoted(_ text: String) -> String {
        var result = "\""
        for scalar in text.unicodeScalars where scalar.value >= 0x20 {
            if scalar == "\"" || scalar == "\\" { result += "\\" }
            result.unicodeScalars.append(scalar)
        }
        return result + "\""
    }
}
