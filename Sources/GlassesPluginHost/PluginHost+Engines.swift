public import GlassesDomain

extension PluginHost {
    /// A new recogniser of the plugin `id` (or of an engine id that begins with it), activated. `settings` is a JSON
    /// object whose keys the plugin documents.
    ///
    /// Fails with `engine_unavailable` when there is no such plugin, or what it needs is missing, and with `timeout` when
    /// it hangs.
    public func speechToText(
        id: String, settings: JSONValue = .object([:])
    ) async -> Result<any SpeechToTextEngine, SpeechEngineError> {
        let id = await pluginId(of: id, kind: .stt)
        switch await activePlugin(id, kind: .stt) {
        case .failure(let failure): return .failure(SpeechEngineError(failure))
        case .success(let plugin):
            let monitor = monitor(of: id)
            let inbox = RecognitionInbox(monitor: monitor)
            let opened = await InProcessRecogniser.open(
                plugin, settings: settings.jsonText, monitor: monitor, deliver: { inbox.receive($0) })
            return opened.map { PluginSpeechToText(instance: $0, inbox: inbox) }.mapError(SpeechEngineError.init)
        }
    }

    /// A new synthesiser of the plugin `id` (or of an engine id that begins with it), activated. Settings and errors as
    /// for ``speechToText(id:settings:)``.
    public func textToSpeech(
        id: String, settings: JSONValue = .object([:])
    ) async -> Result<any TextToSpeechEngine, SpeechEngineError> {
        let id = await pluginId(of: id, kind: .tts)
        switch await activePlugin(id, kind: .tts) {
        case .failure(let failure): return .failure(SpeechEngineError(failure))
        case .success(let plugin):
            let monitor = monitor(of: id)
            let inbox = SynthesisInbox(monitor: monitor)
            let opened = await InProcessSynthesiser.open(
                plugin, settings: settings.jsonText, monitor: monitor, receiver: inbox)
            return opened.map { PluginTextToSpeech(instance: $0, inbox: inbox) }.mapError(SpeechEngineError.init)
        }
    }

    /// A new voice activity detector of the plugin `id` (or of an engine id that begins with it), activated. Settings and
    /// errors as for ``speechToText(id:settings:)``.
    public func voiceActivity(
        id: String, settings: JSONValue = .object([:])
    ) async -> Result<any VoiceActivityEngine, SpeechEngineError> {
        let id = await pluginId(of: id, kind: .vad)
        switch await activePlugin(id, kind: .vad) {
        case .failure(let failure): return .failure(SpeechEngineError(failure))
        case .success(let plugin):
            let monitor = monitor(of: id)
            let inbox = DetectionInbox(monitor: monitor)
            let opened = await InProcessDetector.open(
                plugin, settings: settings.jsonText, monitor: monitor, deliver: { inbox.receive($0) })
            return opened.map { PluginVoiceActivity(instance: $0, inbox: inbox) }.mapError(SpeechEngineError.init)
        }
    }

    /// The plugin that an engine id belongs to; the id itself when there is none.
    private func pluginId(of id: String, kind: PluginKind) async -> String {
        await plugins(kind: kind).map(\.manifest.id).first { id == $0 || id.hasPrefix($0 + ".") } ?? id
    }
}
