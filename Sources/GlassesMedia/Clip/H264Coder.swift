import COpenH264
import GlassesDomain

/// H.264, constrained baseline, on openh264; owns its encoder, for one thread.
final class H264Coder: VideoCoder {
    let width: Int
    let height: Int
    private(set) var coding: VideoCoding?
    private let library: OpenH264Library
    private let encoder: UnsafeMutablePointer<ISVCEncoder?>
    private let pictures: TurboPictureCoder

    /// 2 Mb/s for 720 × 1280 at 30 frames a second, in proportion for others.
    private static let bitsAPixel = 2_000_000.0 / (720 * 1_280 * 30)
    /// A macroblock: what is smaller is taken at first, and refused later.
    private static let smallestSide = 16
    /// Small pictures need more than their share; large ones no more than this.
    private static let bitrates = 300_000.0...20_000_000.0

    /// A coder of pictures of about this size: a last odd column and row are left out.
    init(
        library: OpenH264Library, width: Int, height: Int, frameRate: Int, pictures: TurboPictureCoder
    ) throws(MediaError) {
        (self.width, self.height) = (width & ~1, height & ~1)
        self.library = library
        self.pictures = pictures
        guard min(width, height) >= Self.smallestSide else { throw Self.refusal(width, height) }
        var encoder: UnsafeMutablePointer<ISVCEncoder?>?
        guard library.create(&encoder) == 0, let encoder else {
            throw .coderFailed(code: "openh264", message: "openh264 made no encoder.")
        }
        self.encoder = encoder
        // It would write to standard error.
        _ = copenh264_set_trace(encoder, Int32(WELS_LOG_QUIET))
        var parameters = SEncParamExt()
        guard copenh264_get_defaults(encoder, &parameters) == 0 else { throw Self.refusal(width, height) }
        Self.set(&parameters, width: self.width, height: self.height, frameRate: frameRate)
        guard copenh264_initialize(encoder, &parameters) == 0 else { throw Self.refusal(width, height) }
    }

    deinit {
        _ = copenh264_uninitialize(encoder)
        library.destroy(encoder)
    }

    func encode(_ frame: CameraFrame, milliseconds: Int64, isKey: Bool) throws(MediaError) -> CodedPicture {
        let picture = try pictures.planarPicture(of: frame)
        if isKey { _ = copenh264_force_key_frame(encoder) }
        let units = try units(of: picture, milliseconds: milliseconds)
        guard !units.isEmpty else {
            throw .coderFailed(code: "openh264", message: "openh264 left out a picture.")
        }
        let coded = collect(units)
        guard coding != nil else {
            throw .coderFailed(code: "openh264", message: "openh264 gave no parameters for its stream.")
        }
        return coded
    }

    private static func set(_ parameters: inout SEncParamExt, width: Int, height: Int, frameRate: Int) {
        let rate = Float(min(max(frameRate, 1), 120))
        let wanted = Double(width * height) * Double(rate) * bitsAPixel
        let bitrate = Int32(min(max(wanted, bitrates.lowerBound), bitrates.upperBound))
        parameters.iUsageType = CAMERA_VIDEO_REAL_TIME
        parameters.iPicWidth = Int32(width)
        parameters.iPicHeight = Int32(height)
        parameters.fMaxFrameRate = rate
        parameters.iTargetBitrate = bitrate
        parameters.iRCMode = RC_BITRATE_MODE
        // Every frame of the camera is in the clip.
        parameters.bEnableFrameSkip = false
        // Key frames are asked for by time.
        parameters.uiIntraPeriod = 0
        parameters.bEnableSceneChangeDetect = false
        parameters.iMultipleThreadIdc = 1
        parameters.iComplexityMode = LOW_COMPLEXITY
        parameters.eSpsPpsIdStrategy = CONSTANT_ID
        parameters.iSpatialLayerNum = 1
        parameters.sSpatialLayers.0.iVideoWidth = Int32(width)
        parameters.sSpatialLayers.0.iVideoHeight = Int32(height)
        parameters.sSpatialLayers.0.fFrameRate = rate
        parameters.sSpatialLayers.0.iSpatialBitrate = bitrate
        parameters.sSpatialLayers.0.uiProfileIdc = PRO_BASELINE
        parameters.sSpatialLayers.0.sSliceArgument.uiSliceMode = SM_SINGLE_SLICE
        // BT.601 in the range of video, as the camera's frames are.
        parameters.sSpatialLayers.0.bVideoSignalTypePresent = true
        parameters.sSpatialLayers.0.uiVideoFormat = UInt8(VF_UNDEF.rawValue)
        parameters.sSpatialLayers.0.bFullRange = false
        parameters.sSpatialLayers.0.bColorDescriptionPresent = true
        parameters.sSpatialLayers.0.uiColorPrimaries = UInt8(CP_SMPTE170M.rawValue)
        parameters.sSpatialLayers.0.uiTransferCharacteristics = UInt8(TRC_SMPTE170M.rawValue)
        parameters.sSpatialLayers.0.uiColorMatrix = UInt8(CM_SMPTE170M.rawValue)
    }

    /// Encodes, and takes the stream apart into its units without start codes.
    private func units(of picture: PlanarPicture, milliseconds: Int64) throws(MediaError) -> [[UInt8]] {
        var picture = picture
        var stream = SFrameBSInfo()
        let result = Self.withSource(of: &picture, width: width, height: height, milliseconds: milliseconds) {
            copenh264_encode(encoder, $0, &stream)
        }
        guard result == 0 else {
            throw .coderFailed(code: "openh264", message: "openh264 could not encode a picture (\(result)).")
        }
        var units: [[UInt8]] = []
        for number in 0..<stream.iLayerNum {
            let layer = copenh264_layer(&stream, number).pointee
            guard var position = layer.pBsBuf, let lengths = layer.pNalLengthInByte else { continue }
            for unit in 0..<Int(layer.iNalCount) {
                let length = Int(lengths[unit])
                let bytes = UnsafeBufferPointer(start: position, count: length)
                // Zeros and a one.
                let code = bytes.firstIndex(of: 1).map { $0 + 1 } ?? 0
                units.append(Array(bytes[min(code, length)...]))
                position += length
            }
        }
        return units.filter { !$0.isEmpty }
    }

    /// The units of the picture, each after its length; parameter sets go into the file's header.
    private func collect(_ units: [[UInt8]]) -> CodedPicture {
        var picture = CodedPicture(bytes: [], isKey: false)
        var (sequence, parameters): ([UInt8]?, [UInt8]?) = (nil, nil)
        for unit in units {
            switch UInt32(unit[0] & 0x1F) {
            case NAL_SPS.rawValue: sequence = unit
            case NAL_PPS.rawValue: parameters = unit
            default:
                if UInt32(unit[0] & 0x1F) == NAL_SLICE_IDR.rawValue { picture.isKey = true }
                picture.bytes += ByteOrder.big(UInt32(unit.count)) + unit
            }
        }
        if coding == nil, let sequence, let parameters { coding = .h264(sequence: sequence, picture: parameters) }
        return picture
    }

    private static func withSource(
        of picture: inout PlanarPicture, width: Int, height: Int, milliseconds: Int64,
        _ body: (UnsafePointer<SSourcePicture>) -> Int32
    ) -> Int32 {
        let (stride, halfStride) = (Int32(picture.luma.width), Int32(picture.blue.width))
        return picture.luma.bytes.withUnsafeMutableBufferPointer { luma in
            picture.blue.bytes.withUnsafeMutableBufferPointer { blue in
                picture.red.bytes.withUnsafeMutableBufferPointer { red in
                    var source = SSourcePicture()
                    source.iColorFormat = Int32(videoFormatI420.rawValue)
                    source.iPicWidth = Int32(width)
                    source.iPicHeight = Int32(height)
                    source.iStride = (stride, halfStride, halfStride, 0)
                    source.pData = (luma.baseAddress, blue.baseAddress, red.baseAddress, nil)
                    source.uiTimeStamp = milliseconds
                    return body(&source)
                }
            }
        }
    }

    private static func refusal(_ width: Int, _ height: Int) -> MediaError {
        .coderFailed(code: "openh264", message: "openh264 does not encode pictures of \(width) × \(height).")
    }
}
