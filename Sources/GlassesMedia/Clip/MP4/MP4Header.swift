/// Writes the boxes before the first fragment of a fragmented clip: `ftyp` and `moov`.
struct MP4Header: Equatable {
    var brand: MP4Brand
    var video: MP4VideoTrack
    /// Nil for a clip without sound.
    var sound: MP4SoundTrack?

    /// Units of the movie's own times in a second.
    static let timescale = 1_000

    /// The bytes; `durationOffset` is where the length of the whole clip can be set once it is known, as a number of 8 bytes.
    func encoded() -> (bytes: [UInt8], durationOffset: Int) {
        var writer = BoxWriter()
        var durationOffset = 0
        writeFileType(&writer)
        writer.box("moov") { moov in
            writeMovieHeader(&moov)
            writeTrack(&moov, identifier: MP4VideoTrack.identifier, write: writeVideo)
            if let sound {
                writeTrack(&moov, identifier: MP4SoundTrack.identifier) { writeSound(sound, &$0) }
            }
            moov.box("mvex") { extends in
                extends.fullBox("mehd", version: 1) { header in
                    durationOffset = header.bytes.count
                    header.number(0, bytes: 8)
                }
                writeDefaults(&extends, MP4VideoTrack.identifier)
                if sound != nil { writeDefaults(&extends, MP4SoundTrack.identifier) }
            }
        }
        return (writer.bytes, durationOffset)
    }

    private func writeFileType(_ writer: inout BoxWriter) {
        writer.box("ftyp") { box in
            switch brand {
            case .mp4:
                box.text("iso6")
                box.number(1, bytes: 4)
                box.text("iso6isommp42avc1")
            case .quickTime:
                box.text("qt  ")
                box.number(0x200, bytes: 4)
                box.text("qt  ")
            }
        }
    }

    private func writeMovieHeader(_ writer: inout BoxWriter) {
        writer.fullBox("mvhd") { box in
            // Made, changed, units, length (0: it is in fragments), speed 1, full volume.
            box.numbers(0, 0, Self.timescale, 0, 0x1_0000)
            box.number(0x100, bytes: 2)
            box.zeros(10)
            Self.writeMatrix(&box, rotation: 0, width: 0, height: 0)
            box.zeros(24)
            box.numbers(MP4SoundTrack.identifier + 1)
        }
    }

    private func writeTrack(_ moov: inout BoxWriter, identifier: Int, write: (inout BoxWriter) -> Void) {
        moov.box("trak", write)
    }

    /// Eleven numbers that say how long and how large the samples are, if their fragment does not.
    private func writeDefaults(_ writer: inout BoxWriter, _ identifier: Int) {
        writer.fullBox("trex") { $0.numbers(identifier, 1, 0, 0, 0) }
    }

    /// The matrix that turns what is stored into what is shown, and moves it back to the origin.
    static func writeMatrix(_ writer: inout BoxWriter, rotation: Int, width: Int, height: Int) {
        let one = 0x1_0000
        let (a, b, c, d, x, y) =
            switch rotation {
            case 90: (0, one, -one, 0, height << 16, 0)
            case 180: (-one, 0, 0, -one, width << 16, height << 16)
            case 270: (0, -one, one, 0, 0, width << 16)
            default: (one, 0, 0, one, 0, 0)
            }
        writer.numbers(a, b, 0, c, d, 0, x, y, 0x4000_0000)
    }
}
