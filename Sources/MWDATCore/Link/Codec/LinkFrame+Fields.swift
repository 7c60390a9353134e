import Foundation

extension LinkFrame {
    /// The parameter sets and the picture follow the header one after the other.
    var payload: Data { parameterSets.isEmpty ? bytes : parameterSets + bytes }

    /// Throws also for an I420 picture whose size is not that of its pixels, so that nobody reads beyond it.
    init(_ fields: LinkFields) throws {
        let sets = try fields.integer("parameters", in: 0...fields.payload.count)
        let split = fields.payload.startIndex + sets
        self.init(
            coding: try fields.choice("coding"), width: try fields.integer("width", in: 1...LinkLimits.side),
            height: try fields.integer("height", in: 1...LinkLimits.side), time: try fields.identifier("time"),
            isKeyFrame: try fields.flag("keyFrame"), parameterSets: Data(fields.payload[..<split]),
            bytes: Data(fields.payload[split...]))
        let chroma = ((width + 1) / 2) * ((height + 1) / 2)
        guard coding != .i420 || (sets == 0 && bytes.count == width * height + 2 * chroma) else {
            throw LinkCodecError(.malformed, "A picture's bytes do not fit its width and height.")
        }
    }
}

extension LinkAudio {
    init(_ fields: LinkFields) throws(LinkCodecError) {
        guard fields.payload.count.isMultiple(of: 2) else {
            throw LinkCodecError(.malformed, "A sound's bytes are no whole samples.")
        }
        self.init(
            sampleRate: try fields.integer("sampleRate", in: 1...192_000), time: try fields.identifier("time"),
            bytes: fields.payload)
    }
}
