import CSherpaOnnx
internal import GlassesPluginKit
import SpeechEngineKit

/// The functions of sherpa-onnx 2.0.1 that are used, by their C signatures; the structs are those of its header.
///
/// The library finds ONNX Runtime in its own folder.
struct SherpaLibrary: Sendable {
    typealias Samples = UnsafePointer<Float>
    typealias Result = SherpaOnnxOfflineRecognizerResult

    let makeRecognizer: @convention(c) @Sendable (UnsafePointer<SherpaOnnxOfflineRecognizerConfig>) -> OpaquePointer?
    let destroyRecognizer: @convention(c) @Sendable (OpaquePointer) -> Void
    let makeStream: @convention(c) @Sendable (OpaquePointer) -> OpaquePointer?
    let destroyStream: @convention(c) @Sendable (OpaquePointer) -> Void
    let accept: @convention(c) @Sendable (OpaquePointer, Int32, Samples, Int32) -> Void
    let decode: @convention(c) @Sendable (OpaquePointer, OpaquePointer) -> Void
    let result: @convention(c) @Sendable (OpaquePointer) -> UnsafePointer<Result>?
    let destroyResult: @convention(c) @Sendable (UnsafePointer<Result>) -> Void

    let makeDetector: @convention(c) @Sendable (UnsafePointer<SherpaOnnxVadModelConfig>, Float) -> OpaquePointer?
    let destroyDetector: @convention(c) @Sendable (OpaquePointer) -> Void
    let detect: @convention(c) @Sendable (OpaquePointer, Samples, Int32) -> Void
    let isDetected: @convention(c) @Sendable (OpaquePointer) -> Int32
    let flushDetector: @convention(c) @Sendable (OpaquePointer) -> Void
    let clearDetector: @convention(c) @Sendable (OpaquePointer) -> Void
    let resetDetector: @convention(c) @Sendable (OpaquePointer) -> Void

    /// Loads the library from the folder of ``EngineFiles/sherpa``; throws `UNAVAILABLE`.
    init(folder: String) throws(PluginFailure) {
        let library = try SharedLibrary(
            name: "libsherpa-onnx-c-api.so", folder: folder, remedy: EngineFiles.remedy)
        func function<Function>(_ symbol: String) throws(PluginFailure) -> Function {
            try library.function("SherpaOnnx" + symbol, as: Function.self)
        }
        makeRecognizer = try function("CreateOfflineRecognizer")
        destroyRecognizer = try function("DestroyOfflineRecognizer")
        makeStream = try function("CreateOfflineStream")
        destroyStream = try function("DestroyOfflineStream")
        accept = try function("AcceptWaveformOffline")
        decode = try function("DecodeOfflineStream")
        result = try function("GetOfflineStreamResult")
        destroyResult = try function("DestroyOfflineRecognizerResult")
        makeDetector = try function("CreateVoiceActivityDetector")
        destroyDetector = try function("DestroyVoiceActivityDetector")
        detect = try function("VoiceActivityDetectorAcceptWaveform")
        isDetected = try function("VoiceActivityDetectorDetected")
        flushDetector = try function("VoiceActivityDetectorFlush")
        clearDetector = try function("VoiceActivityDetectorClear")
        resetDetector = try function("VoiceActivityDetectorReset")
    }
}
