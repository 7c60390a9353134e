/// One open PCM, mono signed 16-bit, seen by the [audio] thread that owns it.
///
/// Results are ALSA's: frames or 0 when it went well, a negative errno value otherwise. No call waits for the device by
/// intent; with a hung sound server any of them may never return.
protocol PCMDevice: AnyObject {
    var periodFrames: Int { get }
    var bufferFrames: Int { get }

    /// Frames that can be written or read now.
    func available() -> Int
    /// Frames between here and the loudspeaker or microphone; negative when the device does not tell.
    func delay() -> Int
    func write(_ samples: UnsafePointer<Int16>, _ count: Int) -> Int
    func read(_ samples: UnsafeMutablePointer<Int16>, _ count: Int) -> Int
    func start() -> Int32
    func drop() -> Int32
    func prepare() -> Int32
    func resume() -> Int32
    /// Waits for the device (if `isForDevice`), for one of the two descriptors, or for `nanoseconds`.
    func wait(isForDevice: Bool, _ first: Int32, _ second: Int32, nanoseconds: Int64)
    func close()
}

/// The format of every stream of this plugin.
enum StreamFormat {
    /// Frames per second, constant whatever the device has: ALSA converts. Speech engines and providers resample from it.
    static let rate = 48_000

    /// Frames in that many milliseconds.
    static func frames(milliseconds: Int) -> Int { rate * milliseconds / 1_000 }

    /// How long so many frames last, in nanoseconds.
    static func nanoseconds(frames: Int) -> Int64 { Int64(frames) * 1_000_000_000 / Int64(rate) }
}
