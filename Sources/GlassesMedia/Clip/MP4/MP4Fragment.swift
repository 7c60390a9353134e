/// One fragment of a clip: `moof` and `mdat`, with samples of one track or of both.
struct MP4Fragment: Equatable {
    /// Samples of one track, one after the other.
    struct Run: Equatable {
        var track: Int
        /// When the first one begins, in the track's units.
        var start: Int
        var samples: [MP4Sample]
    }

    /// From 1, counting up.
    var number: Int
    /// Without samples a run is left out.
    var runs: [Run]

    /// What `tfhd` and `trun` have, and what a sample's flags say.
    private enum Flags {
        static let baseIsFragment = 0x02_0000
        static let run = 0x000_701
        static let keySample = 0x0200_0000
        static let dependentSample = 0x0101_0000
    }

    func encoded() -> [UInt8] {
        let runs = runs.filter { !$0.samples.isEmpty }
        var writer = BoxWriter()
        var offsets: [Int] = []
        writer.box("moof") { fragment in
            fragment.fullBox("mfhd") { $0.numbers(number) }
            for run in runs { offsets.append(Self.write(run, &fragment)) }
        }
        // Positions count from the fragment's beginning; the data follow the head of `mdat`.
        var position = writer.bytes.count + 8
        for (run, offset) in zip(runs, offsets) {
            writer.patch(position, at: offset)
            position += run.samples.reduce(0) { $0 + $1.bytes.count }
        }
        writer.box("mdat") { data in
            for run in runs {
                for sample in run.samples { data.raw(sample.bytes) }
            }
        }
        return writer.bytes
    }

    /// Writes a run, and answers where the position of its data has to go.
    private static func write(_ run: Run, _ fragment: inout BoxWriter) -> Int {
        var offset = 0
        fragment.box("traf") { track in
            track.fullBox("tfhd", flags: Flags.baseIsFragment) { $0.numbers(run.track) }
            track.fullBox("tfdt", version: 1) { $0.number(run.start, bytes: 8) }
            track.fullBox("trun", flags: Flags.run) { box in
                box.numbers(run.samples.count)
                offset = box.bytes.count
                box.numbers(0)
                for sample in run.samples {
                    let flags = sample.isKey ? Flags.keySample : Flags.dependentSample
                    box.numbers(min(sample.duration, Int(UInt32.max)), sample.bytes.count, flags)
                }
            }
        }
        return offset
    }
}
