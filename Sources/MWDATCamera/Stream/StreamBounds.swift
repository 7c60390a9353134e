import MWDATCore

/// How long a stream waits for what, and what it says when it has waited in vain.
enum StreamBounds {
    /// From the start to the first picture.
    static let start = Duration.seconds(10)
    /// From the request to the photo.
    static let photo = Duration.seconds(8)
    /// From the request to the end of a run.
    static let stop = Duration.seconds(2)
    /// The same when the session ends: it waits 1 s for what it carries, and this leaves time to detach.
    static let cascade = Duration.milliseconds(800)
    /// Without a picture for this long a stream is told to stall: four pictures of the slowest rate.
    static let stall = Duration.seconds(2)
    /// Without a picture for this long a run ends: the stalls of 1 to 4 s that the field reports heal by themselves.
    static let starve = Duration.seconds(10)
    /// How often glasses are asked for a picture that can be decoded alone: each costs them bandwidth.
    static let keyFrame = Duration.seconds(1)

    static let lateStart = Refusal(
        .timeout, "The glasses were asked for pictures and sent none for 10 s. Start the stream again.",
        isRetryable: true)
    static let starved = Refusal(
        .media, "The glasses have sent no picture for 10 s. Start the stream again.", isRetryable: true)
    static let endedByGlasses = Refusal(
        .endedByDevice, "The glasses ended the stream. Start it again.", isRetryable: true)
    static let pausedSession = Refusal(
        .occupied, "The glasses hold the session for something else. Tap their touch pad to go on.", isRetryable: true)
    static let latePhoto = Refusal(
        .timeout, "The glasses accepted the photo and sent none for 8 s. Take it again.", isRetryable: true)
    static let photoCutOff = Refusal(
        .notFound, "The stream was stopped before the photo came. Start it, then take the photo again.",
        isRetryable: true)
    static let photoInFlight = Refusal(
        .occupied, "A photo is being taken. Wait for it, then take the next one.", isRetryable: true)
    static let notStreaming = Refusal(
        .notFound, "The stream has no pictures now. Wait until it is streaming, then take the photo.",
        isRetryable: true)
    static let cameraGone = Refusal(
        .notFound, "The camera of this stream has been stopped. Add a camera to a started session.",
        isRetryable: false)
    static let lateOneShot = Refusal(
        .timeout, "There was no photo in the time that the app gives it. Allow more, or try again.", isRetryable: true)
    static let noGlasses = Refusal(
        .link, "There are no glasses that can be used. Switch a pair on, unfold it and put it on.", isRetryable: true)
    static let notConfigured = Refusal(
        .configuration, "The toolkit is not configured. Call Wearables.configure() first.", isRetryable: false)
}
