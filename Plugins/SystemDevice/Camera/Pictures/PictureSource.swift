import CGlassesPlugin
import GlassesPluginKit
import SystemDeviceStreams

/// A camera that shows the pictures of a folder or a file, one after another, again and again, at the chosen rate.
package struct PictureSource: CameraSource {
    /// The rates of glasses lie within.
    static let rates = Array(2...30)

    package let name: String
    package let description: CameraDescription
    /// Files and pictures of the path that are left out.
    package var skipped: Int { reel.skipped }
    private let reel: PictureReel

    /// The pictures of `path`; each of their sizes is a mode. Looks at all of them.
    package init(path: String) throws(PluginFailure) {
        reel = try PictureReel(path)
        name = path
        description = CameraDescription(
            formats: reel.sizes.map {
                CameraFormat(format: .jpeg, width: $0.width, height: $0.height, frameRates: Self.rates)
            })
    }

    package func stream(
        _ configuration: CameraConfiguration, to writer: FrameWriter, until stop: StopSignal
    ) -> PluginFailure? {
        let size = PictureReel.Size(width: configuration.width, height: configuration.height)
        guard let places = reel.pictures[size], !places.isEmpty else { return .cameraModeRefused(name) }
        var pacer = Pacer(rate: configuration.frameRate, from: monotonicNow())
        var open: (index: Int, file: PictureFile)?
        do throws(PluginFailure) {
            while stop.wait(until: pacer.due) == .timePassed {
                let place = places[Int(pacer.number % UInt64(places.count))]
                if open?.index != place.file { open = (place.file, try PictureFile(reel.files[place.file])) }
                guard let picture = try open?.file.read(place.length, at: place.offset) else { continue }
                guard write(picture, size, pacer, writer) else { return nil }
                // One that changed on the disk, or is larger than the mode's slots, is not shown; with none left that is told.
                if writer.counts.written == 0, writer.counts.broken >= places.count { return .noPictures(name) }
                pacer.advance(at: monotonicNow())
            }
            return nil
        } catch {
            return error
        }
    }

    private func write(_ picture: [UInt8], _ size: PictureReel.Size, _ pacer: Pacer, _ writer: FrameWriter) -> Bool {
        picture.withUnsafeBytes { bytes in
            writer.write(number: pacer.number, time: pacer.due) { slot in
                guard let length = JPEGFile.wholeLength(bytes), length <= slot.count,
                    let found = JPEGFile.size(bytes), found == (size.width, size.height)
                else { return nil }
                slot.copyMemory(from: UnsafeRawBufferPointer(rebasing: bytes.prefix(length)))
                return glasses_frame(jpegOf: length, width: size.width, height: size.height)
            }
        }
    }
}
