extension MP4Header {
    func writeVideo(_ track: inout BoxWriter) {
        writeTrackHeader(&track, MP4VideoTrack.identifier, volume: 0) { box in
            Self.writeMatrix(&box, rotation: video.rotation, width: video.width, height: video.height)
            box.numbers(video.width << 16, video.height << 16)
        }
        writeMedia(&track, timescale: MP4VideoTrack.timescale, handler: "vide", named: "Video\0") { information in
            information.fullBox("vmhd", flags: 1) { $0.zeros(8) }
            writeDataReference(&information)
            writeSampleTable(&information) { writeVideoEntry(&$0) }
        }
    }

    func writeSound(_ sound: MP4SoundTrack, _ track: inout BoxWriter) {
        writeTrackHeader(&track, MP4SoundTrack.identifier, volume: 0x100) { box in
            Self.writeMatrix(&box, rotation: 0, width: 0, height: 0)
            box.zeros(8)
        }
        if case .opus(let preSkip, _) = sound.coding {
            track.box("edts") { edits in
                // One edit to the end of the fragments, which begins after what the coder needs to get going.
                edits.fullBox("elst") { $0.numbers(1, 0, preSkip, 0x1_0000) }
            }
        }
        writeMedia(&track, timescale: sound.rate, handler: "soun", named: "Sound\0") { information in
            information.fullBox("smhd") { $0.zeros(4) }
            writeDataReference(&information)
            writeSampleTable(&information) { Self.writeSoundEntry(sound, &$0) }
        }
    }

    private func writeTrackHeader(
        _ track: inout BoxWriter, _ identifier: Int, volume: Int, shape: (inout BoxWriter) -> Void
    ) {
        // Enabled, and part of the movie.
        track.fullBox("tkhd", flags: 3) { box in
            box.numbers(0, 0, identifier, 0, 0)
            box.zeros(8)
            // Layer, group of alternatives, volume.
            box.number(0, bytes: 2)
            box.number(0, bytes: 2)
            box.number(volume, bytes: 2)
            box.zeros(2)
            shape(&box)
        }
    }

    private func writeMedia(
        _ track: inout BoxWriter, timescale: Int, handler: StaticString, named name: StaticString,
        information: (inout BoxWriter) -> Void
    ) {
        track.box("mdia") { media in
            media.fullBox("mdhd") { box in
                box.numbers(0, 0, timescale, 0)
                // No language.
                box.number(0x55C4, bytes: 2)
                box.zeros(2)
            }
            media.fullBox("hdlr") { box in
                if brand == .quickTime { box.text("mhlr") } else { box.zeros(4) }
                box.text(handler)
                box.zeros(12)
                if brand == .quickTime { box.number(name.utf8CodeUnitCount - 1, bytes: 1) }
                box.text(name)
            }
            media.box("minf", information)
        }
    }

    private func writeDataReference(_ information: inout BoxWriter) {
        if brand == .quickTime {
            information.fullBox("hdlr") { box in
                box.text("dhlrurl ")
                box.zeros(13)
            }
        }
        information.box("dinf") { data in
            data.fullBox("dref") { box in
                box.numbers(1)
                // In this file.
                box.fullBox("url ", flags: 1)
            }
        }
    }

    /// A table with one kind of sample and, as all are in fragments, no samples.
    private func writeSampleTable(_ information: inout BoxWriter, entry: (inout BoxWriter) -> Void) {
        information.box("stbl") { table in
            table.fullBox("stsd") { box in
                box.numbers(1)
                entry(&box)
            }
            table.fullBox("stts") { $0.numbers(0) }
            table.fullBox("stsc") { $0.numbers(0) }
            table.fullBox("stsz") { $0.numbers(0, 0) }
            table.fullBox("stco") { $0.numbers(0) }
        }
    }

    private func writeVideoEntry(_ writer: inout BoxWriter) {
        switch video.coding {
        case .h264(let sequence, let picture):
            writer.box("avc1") { box in
                writeVisualEntry(&box)
                box.box("avcC") { Self.writeConfiguration(&$0, sequence: sequence, picture: picture) }
            }
        case .motionJPEG: writer.box("jpeg") { writeVisualEntry(&$0) }
        }
    }

    private func writeVisualEntry(_ box: inout BoxWriter) {
        box.zeros(6)
        box.number(1, bytes: 2)
        box.zeros(16)
        box.number(video.width, bytes: 2)
        box.number(video.height, bytes: 2)
        // 72 dots an inch in both directions, one picture a sample, no name, 24 bits a pixel, no palette.
        box.numbers(0x48_0000, 0x48_0000, 0)
        box.number(1, bytes: 2)
        box.zeros(32)
        box.number(24, bytes: 2)
        box.number(0xFFFF, bytes: 2)
    }

    /// ISO/IEC 14496-15: profile, compatibility and level as in the parameter set, lengths of four bytes, one set of each kind.
    private static func writeConfiguration(_ box: inout BoxWriter, sequence: [UInt8], picture: [UInt8]) {
        box.number(1, bytes: 1)
        box.raw(sequence.dropFirst().prefix(3))
        box.number(0xFF, bytes: 1)
        box.number(0xE1, bytes: 1)
        box.number(sequence.count, bytes: 2)
        box.raw(sequence)
        box.number(1, bytes: 1)
        box.number(picture.count, bytes: 2)
        box.raw(picture)
    }

    private static func writeSoundEntry(_ sound: MP4SoundTrack, _ writer: inout BoxWriter) {
        switch sound.coding {
        case .opus(let preSkip, let inputRate):
            writer.box("Opus") { box in
                writeAudioEntry(&box, rate: sound.rate)
                box.box("dOps") { content in
                    // Version, one channel, samples to leave out, the rate it was made of, gain, no mapping.
                    content.number(0, bytes: 1)
                    content.number(1, bytes: 1)
                    content.number(preSkip, bytes: 2)
                    content.number(inputRate, bytes: 4)
                    content.number(0, bytes: 2)
                    content.number(0, bytes: 1)
                }
            }
        case .pcm: writer.box("sowt") { writeAudioEntry(&$0, rate: sound.rate) }
        }
    }

    private static func writeAudioEntry(_ box: inout BoxWriter, rate: Int) {
        box.zeros(6)
        box.number(1, bytes: 2)
        box.zeros(8)
        // One channel of 16 bits; the rate has 16 bits, a higher one is in the track's time scale alone.
        box.number(1, bytes: 2)
        box.number(16, bytes: 2)
        box.zeros(4)
        box.number(min(rate, 0xFFFF) << 16, bytes: 4)
    }
}
