import GlassesPluginKit
import SpeechEngineKit

/// The functions of PocketSphinx 5prealpha and its base library, by their C signatures.
struct PocketSphinxLibrary: Sendable {
    typealias Pointer = UnsafeMutableRawPointer
    typealias Text = UnsafePointer<CChar>
    typealias Arguments = UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>

    /// Sends the library's chatter nowhere; holds for the calling thread only.
    let setLogFile: @convention(c) @Sendable (Pointer?) -> Void
    let argumentDefinitions: @convention(c) @Sendable () -> UnsafeRawPointer?
    let parseArguments: @convention(c) @Sendable (Pointer?, UnsafeRawPointer?, Int32, Arguments, Int32) -> Pointer?
    let freeArguments: @convention(c) @Sendable (Pointer?) -> Int32
    let makeDecoder: @convention(c) @Sendable (Pointer?) -> Pointer?
    let freeDecoder: @convention(c) @Sendable (Pointer?) -> Int32
    let startUtterance: @convention(c) @Sendable (Pointer) -> Int32
    let process: @convention(c) @Sendable (Pointer, UnsafePointer<Int16>, Int, Int32, Int32) -> Int32
    let endUtterance: @convention(c) @Sendable (Pointer) -> Int32
    let isInSpeech: @convention(c) @Sendable (Pointer) -> UInt8
    let hypothesis: @convention(c) @Sendable (Pointer, UnsafeMutablePointer<Int32>?) -> Text?
    let firstSegment: @convention(c) @Sendable (Pointer) -> Pointer?
    let nextSegment: @convention(c) @Sendable (Pointer) -> Pointer?
    let segmentWord: @convention(c) @Sendable (Pointer) -> Text?
    let segmentFrames:
        @convention(c) @Sendable (Pointer, UnsafeMutablePointer<Int32>, UnsafeMutablePointer<Int32>) -> Void
    let segmentPosterior:
        @convention(c) @Sendable (
            Pointer, UnsafeMutablePointer<Int32>?, UnsafeMutablePointer<Int32>?, UnsafeMutablePointer<Int32>?
        ) -> Int32

    /// Loads the library; throws `UNAVAILABLE` naming the package.
    init(folder: String?) throws(PluginFailure) {
        // Its own base library comes with it, and its functions are found through the same handle.
        let library = try SharedLibrary(
            name: "libpocketsphinx.so.3", folder: folder,
            remedy: "run Scripts/setup, or: apt-get install libpocketsphinx3")
        func function<Function>(_ symbol: String) throws(PluginFailure) -> Function {
            try library.function(symbol, as: Function.self)
        }
        setLogFile = try function("err_set_logfp")
        argumentDefinitions = try function("ps_args")
        parseArguments = try function("cmd_ln_parse_r")
        freeArguments = try function("cmd_ln_free_r")
        makeDecoder = try function("ps_init")
        freeDecoder = try function("ps_free")
        startUtterance = try function("ps_start_utt")
        process = try function("ps_process_raw")
        endUtterance = try function("ps_end_utt")
        isInSpeech = try function("ps_get_in_speech")
        hypothesis = try function("ps_get_hyp")
        firstSegment = try function("ps_seg_iter")
        nextSegment = try function("ps_seg_next")
        segmentWord = try function("ps_seg_word")
        segmentFrames = try function("ps_seg_frames")
        segmentPosterior = try function("ps_seg_prob")
    }
}
