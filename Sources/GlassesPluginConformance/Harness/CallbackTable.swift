import CGlassesPlugin
import GlassesPluginHost
import Glibc

/// The struct of callbacks that an instance gets: `{size, reserved, ctx, functions…}` for every kind.
enum CallbackTable {
    /// The size of this version's struct for a kind; nil for one that no factory of this version takes.
    static func size(for kind: PluginKind) -> Int? {
        switch kind {
        case .transport: MemoryLayout<glasses_transport_host>.size
        case .stt: MemoryLayout<glasses_stt_host>.size
        case .tts: MemoryLayout<glasses_tts_host>.size
        case .vad: MemoryLayout<glasses_vad_host>.size
        case .brain: nil
        }
    }

    /// The struct at `target`, cut or padded to `size` bytes, of which it tells; callbacks go to `recorder`.
    static func write(
        _ kind: PluginKind, to target: UnsafeMutableRawPointer, size: Int, recorder: Recorder
    ) throws(CaseEnd) {
        let context = Unmanaged.passRetained(recorder).toOpaque()
        switch kind {
        case .transport: copy(transport(context, size), to: target, size: size)
        case .stt: copy(recogniser(context, size), to: target, size: size)
        case .tts: copy(synthesiser(context, size), to: target, size: size)
        case .vad: copy(detector(context, size), to: target, size: size)
        case .brain: throw .skipped("this version of the ABI has no factory of the kind \(kind.rawValue)")
        }
    }

    private static func copy<T>(_ table: T, to target: UnsafeMutableRawPointer, size: Int) {
        let whole = MemoryLayout<T>.size
        // What lies beyond the known struct belongs to a future version.
        if size > whole { memset(target + whole, 0xA5, size - whole) }
        withUnsafeBytes(of: table) { bytes in
            if let start = bytes.baseAddress { memcpy(target, start, min(size, whole)) }
        }
    }

    private static func recorder(_ context: UnsafeMutableRawPointer?) -> Recorder? {
        context.map { Unmanaged<Recorder>.fromOpaque($0).takeUnretainedValue() }
    }

    private static func transport(_ context: UnsafeMutableRawPointer, _ size: Int) -> glasses_transport_host {
        glasses_transport_host(
            size: UInt32(size), reserved: 0, ctx: context,
            on_state: { context, state, detail in
                CallbackTable.recorder(context)?.record(.state(state, detail: detail.map { CallbackText($0) }))
            },
            on_completed: { context, request, result, detail in
                CallbackTable.recorder(context)?
                    .record(.completed(request, result, detail: detail.map { CallbackText($0) }))
            },
            on_event: { context, event in CallbackTable.recorder(context)?.record(.event(CallbackText(event))) })
    }

    private static func recogniser(_ context: UnsafeMutableRawPointer, _ size: Int) -> glasses_stt_host {
        glasses_stt_host(
            size: UInt32(size), reserved: 0, ctx: context,
            on_partial: { context, utterance, text, confidence in
                CallbackTable.recorder(context)?
                    .record(.partial(utterance, CallbackText(text), confidence: confidence))
            },
            on_finished: { context, utterance, result, text, confidence in
                CallbackTable.recorder(context)?
                    .record(.finished(utterance, result, text: CallbackText(text), confidence: confidence))
            })
    }

    private static func detector(_ context: UnsafeMutableRawPointer, _ size: Int) -> glasses_vad_host {
        glasses_vad_host(
            size: UInt32(size), reserved: 0, ctx: context,
            on_activity: { context, stream, first, frames, probability in
                CallbackTable.recorder(context)?
                    .recordHeld(.activity(stream, first: first, frames: frames, probability: probability))
            },
            on_failed: { context, stream, result, message in
                CallbackTable.recorder(context)?
                    .record(.broken(stream, result, message: message.map { CallbackText($0) }))
            })
    }

    private static func synthesiser(_ context: UnsafeMutableRawPointer, _ size: Int) -> glasses_tts_host {
        glasses_tts_host(
            size: UInt32(size), reserved: 0, ctx: context,
            on_audio: { context, request, _, count in
                let wantsMore =
                    CallbackTable.recorder(context)?.recordHeld(.audio(request, frames: Int(count))) ?? false
                return glasses_result(wantsMore ? GLASSES_OK : GLASSES_ERROR_CANCELLED)
            },
            on_finished: { context, request, result, message in
                CallbackTable.recorder(context)?
                    .record(.finished(request, result, text: message.map { CallbackText($0) }, confidence: 0))
            })
    }
}
