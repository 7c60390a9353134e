/// What a loudspeaker plays, for the microphone that hears its echo.
package final class EchoSource: Sendable {
    let timeline = ReferenceTimeline()

    /// A source that plays nothing yet.
    package init() {}
}
