import Testing

@testable import GlassesMedia

@Suite struct MP4Tests {
    @Test func aBoxBeginsWithItsSizeAndName() {
        var writer = BoxWriter()
        writer.box("moov") { moov in
            moov.fullBox("abcd", version: 1, flags: 0x203) { $0.number(0x1234, bytes: 2) }
        }
        let inner: [UInt8] = [0, 0, 0, 14] + Array("abcd".utf8) + [1, 0, 2, 3, 0x12, 0x34]
        #expect(writer.bytes == [0, 0, 0, 22] + Array("moov".utf8) + inner)
    }

    @Test(
        arguments: [
            (0, [1, 0, 0, 1, 0, 0]), (90, [0, 1, -1, 0, 240, 0]), (180, [-1, 0, 0, -1, 320, 240]),
            (270, [0, -1, 1, 0, 0, 320]),
        ] as [(Int, [Int])])
    func theMatrixTurnsAndMovesBack(rotation: Int, values: [Int]) {
        var writer = BoxWriter()
        MP4Header.writeMatrix(&writer, rotation: rotation, width: 320, height: 240)
        let words = stride(from: 0, to: 36, by: 4).map { offset in
            writer.bytes[offset..<(offset + 4)].reduce(Int32(0)) { $0 << 8 | Int32($1) }
        }
        let shown = [words[0], words[1], words[3], words[4], words[6], words[7]].map { Int($0 >> 16) }
        #expect(shown == values)
        #expect([words[2], words[5], words[8]] == [0, 0, 0x4000_0000])
    }

    @Test func aFragmentPointsAtTheDataOfEachRun() {
        let fragment = MP4Fragment(
            number: 7,
            runs: [
                MP4Fragment.Run(
                    track: 1, start: 90_000,
                    samples: [
                        MP4Sample(bytes: [1, 2, 3], duration: 3_000, isKey: true),
                        MP4Sample(bytes: [4], duration: 3_001, isKey: false),
                    ]),
                MP4Fragment.Run(track: 2, start: 5, samples: []),
                MP4Fragment.Run(
                    track: 2, start: 1 << 33, samples: [MP4Sample(bytes: [9, 8], duration: 960, isKey: true)]),
            ])
        func name(_ text: String) -> [UInt8] { Array(text.utf8) }
        var expected: [UInt8] =
            [0, 0, 0, 188] + name("moof") + [0, 0, 0, 16] + name("mfhd") + [0, 0, 0, 0, 0, 0, 0, 7]
        expected += [0, 0, 0, 88] + name("traf") + [0, 0, 0, 16] + name("tfhd") + [0, 2, 0, 0, 0, 0, 0, 1]
        expected += [0, 0, 0, 20] + name("tfdt") + [1, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0x5F, 0x90]
        expected += [0, 0, 0, 44] + name("trun") + [0, 0, 7, 1, 0, 0, 0, 2, 0, 0, 0, 196]
        expected += [0, 0, 0x0B, 0xB8, 0, 0, 0, 3, 2, 0, 0, 0] + [0, 0, 0x0B, 0xB9, 0, 0, 0, 1, 1, 1, 0, 0]
        expected += [0, 0, 0, 76] + name("traf") + [0, 0, 0, 16] + name("tfhd") + [0, 2, 0, 0, 0, 0, 0, 2]
        expected += [0, 0, 0, 20] + name("tfdt") + [1, 0, 0, 0, 0, 0, 0, 2, 0, 0, 0, 0]
        expected += [0, 0, 0, 32] + name("trun") + [0, 0, 7, 1, 0, 0, 0, 1, 0, 0, 0, 200]
        expected += [0, 0, 3, 0xC0, 0, 0, 0, 2, 2, 0, 0, 0]
        expected += [0, 0, 0, 14] + name("mdat") + [1, 2, 3, 4, 9, 8]
        #expect(fragment.encoded() == expected)
    }

    @Test func theHeaderSaysWhereTheLengthGoesAndHowItIsCoded() throws {
        let sequence: [UInt8] = [0x67, 0x42, 0xC0, 0x1E, 0xAA]
        let header = MP4Header(
            brand: .mp4,
            video: MP4VideoTrack(
                width: 320, height: 240, rotation: 0, coding: .h264(sequence: sequence, picture: [0x68, 0xBB])),
            sound: MP4SoundTrack(rate: 48_000, coding: .opus(preSkip: 312, inputRate: 16_000)))
        let (bytes, offset) = header.encoded()
        #expect(
            Array(bytes.prefix(32)) == [0, 0, 0, 32] + Array("ftypiso6".utf8) + [0, 0, 0, 1]
                + Array("iso6isommp42avc1".utf8))
        #expect(
            Array(bytes[(offset - 8)..<(offset + 8)]) == Array("mehd".utf8) + [1, 0, 0, 0]
                + [UInt8](repeating: 0, count: 8))
        let configuration: [UInt8] =
            [0, 0, 0, 26] + Array("avcC".utf8) + [1, 0x42, 0xC0, 0x1E, 0xFF, 0xE1, 0, 5] + sequence + [
                1, 0, 2, 0x68, 0xBB,
            ]
        #expect(bytes.firstRange(of: configuration) != nil)
        let opus: [UInt8] = [0, 0, 0, 19] + Array("dOps".utf8) + [0, 1, 1, 0x38, 0, 0, 0x3E, 0x80, 0, 0, 0]
        #expect(bytes.firstRange(of: opus) != nil)
        let edit: [UInt8] = Array("elst".utf8) + [0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 1, 0x38, 0, 1, 0, 0]
        #expect(bytes.firstRange(of: edit) != nil)
        // The boxes fill the file.
        let sizes = [bytes[0..<4], bytes[32..<36]].map { $0.reduce(0) { $0 << 8 | Int($1) } }
        #expect(sizes.reduce(0, +) == bytes.count)
    }
}
