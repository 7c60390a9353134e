import Foundation
import MWDATCore
import MWDATImage
import TestLink
import Testing

@testable import MWDATCamera

@Suite struct VideoFrameTests {
    private let rig = CameraRig()

    @Test func aRawPictureIsReadableAsPlanesAsAnImageAndAsAJPEGOfTheRightColour() async throws {
        let frame = try await frame(.raw, .picture(time: 0, luma: 81, blue: 90, red: 240))
        let sample = frame.sampleBuffer
        let picture = try #require(CMSampleBufferGetImageBuffer(sample))
        #expect(CVPixelBufferGetWidth(picture) == 36 && CVPixelBufferGetHeight(picture) == 64)
        #expect(CVPixelBufferGetPixelFormatType(picture) == kCVPixelFormatType_420YpCbCr8Planar)
        #expect(picture.withPlane(2) { $0.first } == 240)
        #expect(sample.dataBuffer == nil)
        #expect(CMSampleBufferGetPresentationTimeStamp(sample) == .zero)
        let image = try #require(frame.makeUIImage())
        let again = try UIImage(decoding: #require(image.jpegData(compressionQuality: 0.9)))
        let pixel = 4 * (32 * 36 + 18)
        for (channel, value) in [255, 0, 0].enumerated() {
            #expect(abs(Int(image.rgba[pixel + channel]) - value) <= 3)
            #expect(abs(Int(again.rgba[pixel + channel]) - value) <= 6)
        }
    }

    @Test func aCodedPictureHasItsUnitsAndItsParameterSetsAndNoImage() async throws {
        let frame = try await frame(.hvc1, .coded())
        let format = try #require(CMSampleBufferGetFormatDescription(frame.sampleBuffer))
        #expect(CMFormatDescriptionGetMediaSubType(format) == kCMVideoCodecType_HEVC)
        #expect(CMVideoFormatDescriptionGetDimensions(format) == CMVideoDimensions(width: 36, height: 64))
        #expect(format.parameterSets.count == 3 && format.nalUnitHeaderLength == 4)
        #expect(frame.sampleBuffer.dataBuffer == LinkFrame.coded().bytes)
        #expect(frame.sampleBuffer.isKeyFrame)
        #expect(frame.sampleBuffer.imageBuffer == nil && frame.makeUIImage() == nil)
    }

    @Test func codedPicturesWithoutASetOfTheirOwnKeepTheLastOne() async throws {
        let (_, camera) = try rig.streamingCamera(
            StreamConfiguration(videoCodec: .hvc1, resolution: .low, frameRate: 30))
        let frames = Log<VideoFrame>()
        let token = camera.stream.videoFramePublisher.listen { frames.append($0) }
        rig.send(.coded(time: 1, isKeyFrame: false))
        try await eventually("the picture comes") { !frames.all.isEmpty }
        let frame = try #require(frames.all.first)
        #expect(!frame.sampleBuffer.isKeyFrame)
        #expect(frame.sampleBuffer.formatDescription?.parameterSets.count == 3)
        withExtendedLifetime(token) {}
    }

    @Test(
        "Pictures that are none are counted, and nothing else happens",
        arguments: [
            LinkFrame(coding: .i420, width: 36, height: 64, time: 0, bytes: Data()),
            LinkFrame(coding: .i420, width: -1, height: Int.max, time: 0, bytes: Data([1])),
            LinkFrame(coding: .i420, width: 36, height: 64, time: .max, bytes: LinkFrame.picture().bytes),
            .coded(),
        ])
    func hostile(frame: LinkFrame) throws {
        let (_, camera) = try rig.streamingCamera()
        rig.send(frame)
        #expect(camera.stream.statistics.delivered == 1)
        #expect(camera.stream.statistics.discarded == 1)
        #expect(camera.stream.state == .streaming)
    }

    @Test("A photo without a picture fails", arguments: [LinkPhotoFormat.jpeg, .heic])
    func emptyPhoto(format: LinkPhotoFormat) throws {
        let (_, camera) = try rig.streamingCamera()
        let failures = Log<StreamFailure>()
        let token = camera.stream.failurePublisher.listen { failures.append($0) }
        #expect(camera.stream.capturePhoto(format: .jpeg))
        rig.hub.settle()
        rig.say { .photo($0, rig.photo, LinkPhoto(format: format, bytes: Data("no".utf8))) }
        #expect(failures.all.map(\.error) == [.photoCaptureFailed])
        #expect(failures.all.map(\.reason.check) == [.media])
        withExtendedLifetime(token) {}
    }

    @Test func soundComesOnlyWhenItIsConfigured() async throws {
        let sound = LinkAudio(sampleRate: 16_000, time: 0, bytes: Data([1, 2]))
        for codec in [nil, AudioCodec.pcm] {
            let (session, camera) = try rig.streamingCamera(
                StreamConfiguration(videoCodec: .raw, resolution: .low, frameRate: 30, audioCodec: codec))
            let sounds = Log<AudioFrame>()
            let token = camera.stream.audioFramePublisher.listen { sounds.append($0) }
            rig.say { .audio($0, rig.run, sound) }
            #expect(sounds.all.map(\.data) == (codec == nil ? [] : [sound.bytes]))
            #expect(sounds.all.allSatisfy { $0.sampleRate == 16_000 && $0.presentationTimeStamp == .zero })
            session.stop()
            await session.waitUntilStopped()
            withExtendedLifetime(token) {}
        }
    }

    /// The first picture that a stream hands over.
    private func frame(_ codec: VideoCodec, _ sent: LinkFrame) async throws -> VideoFrame {
        let (_, camera) = try rig.camera(StreamConfiguration(videoCodec: codec, resolution: .low, frameRate: 30))
        let frames = Log<VideoFrame>()
        let token = camera.stream.videoFramePublisher.listen { frames.append($0) }
        camera.stream.start()
        rig.hub.settle()
        rig.send(sent)
        try await eventually("the picture comes") { !frames.all.isEmpty }
        withExtendedLifetime(token) {}
        return try #require(frames.all.first)
    }
}
