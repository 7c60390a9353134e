import GlassesPluginKit
import SystemDeviceStreams

/// A camera that needs no device: ``TestPattern`` at the sizes and rates of glasses, paced in real time.
package struct PatternSource: CameraSource {
    static let sizes = [(720, 1_280), (504, 896), (360, 640)]

    package let name = "the test pattern"
    package let description = CameraDescription(
        formats: PatternSource.sizes.map {
            CameraFormat(format: .i420, width: $0.0, height: $0.1, frameRates: PictureSource.rates)
        })

    package init() {}

    package func stream(
        _ configuration: CameraConfiguration, to writer: FrameWriter, until stop: StopSignal
    ) -> PluginFailure? {
        let pattern = TestPattern(width: configuration.width, height: configuration.height)
        let period = 1_000 * millisecond / Int64(configuration.frameRate)
        var pacer = Pacer(rate: configuration.frameRate, from: monotonicNow())
        while stop.wait(until: pacer.due) == .timePassed {
            let isFlash = TestPattern.isFlash(at: pacer.due, period: period)
            let isOpen = writer.write(number: pacer.number, time: pacer.due) {
                pattern.draw(pacer.number, isFlash: isFlash, into: $0)
            }
            guard isOpen else { return nil }
            pacer.advance(at: monotonicNow())
        }
        return nil
    }
}
