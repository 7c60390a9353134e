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
        await engine(
            id, .stt, settings, inbox: RecognitionInbox.init,
            inChild: { setup, inbox in await ChildRecogniser.open(setup, deliver: { inbox.receive($0) }).map { $0 } },
            here: { plugin, settings, monitor, inbox in
                await InProcessRecogniser.open(
                    plugin, settings: settings, monitor: monitor, deliver: { inbox.receive($0) }
                ).map { $0 }
            },
            port: { (instance: any RecogniserInstance, inbox) in PluginSpeechToText(instance: instance, inbox: inbox) })
    }

    /// A new synthesiser of the plugin `id` (or of an engine id that begins with it), activated. Settings and errors as
    /// for ``speechToText(id:settings:)``.
    public func textToSpeech(
        id: String, settings: JSONValue = .object([:])
    ) async -> Result<any TextToSpeechEngine, SpeechEngineError> {
        await engine(
            id, .tts, settings, inbox: SynthesisInbox.init,
            inChild: { setup, inbox in await ChildSynthesiser.open(setup, receiver: inbox).map { $0 } },
            here: { plugin, settings, monitor, inbox in
                await InProcessSynthesiser.open(plugin, settings: settings, monitor: monitor, receiver: inbox).map {
                    $0
                }
            },
            port: { (instance: any SynthesiserInstance, inbox) in PluginTextToSpeech(instance: instance, inbox: inbox) }
        )
    }

    /// A new voice activity detector of the plugin `id` (or of an engine id that begins with it), activated. Settings and
    /// errors as for ``speechToText(id:settings:)``.
    public func voiceActivity(
        id: String, settings: JSONValue = .object([:])
    ) async -> Result<any VoiceActivityEngine, SpeechEngineError> {
        await engine(
            id, .vad, settings, inbox: DetectionInbox.init,
            inChild: { setup, inbox in await ChildDetector.open(setup, deliver: { inbox.receive($0) }).map { $0 } },
            here: { plugin, settings, monitor, inbox in
                await InProcessDetector.open(
                    plugin, settings: settings, monitor: monitor, deliver: { inbox.receive($0) }
                ).map { $0 }
            },
            port: { (instance: any DetectorInstance, inbox) in PluginVoiceActivity(instance: instance, inbox: inbox) })
    }

    /// Opens an engine where its plugin runs, and puts it behind its port.
    private func engine<Inbox, Instance, Port>(
        _ id: String, _ kind: PluginKind, _ settings: JSONValue, inbox makeInbox: (CallMonitor) -> Inbox,
        inChild: (SupervisedChild.Setup, Inbox) async -> Result<Instance, PluginFailureReport>,
        here: (ActivePlugin, String, CallMonitor, Inbox) async -> Result<Instance, PluginFailureReport>,
        port: (Instance, Inbox) -> Port
    ) async -> Result<Port, SpeechEngineError> {
        let id = await pluginId(of: id, kind: kind)
        let found: FoundPlugin
        switch await plugin(id, kind: kind) {
        case .failure(let failure): return .failure(SpeechEngineError(failure))
        case .success(let plugin): found = plugin
        }
        let isInChild = runsInChild(found)
        let monitor = monitor(of: id, inChild: isInChild)
        let inbox = makeInbox(monitor)
        let opened =
            isInChild
            ? await openInChild(found, kind, settings, monitor) { await inChild($0, inbox) }
            : await openHere(found) { await here($0, settings.jsonText, monitor, inbox) }
        return opened.map { port($0, inbox) }.mapError(SpeechEngineError.init)
    }

    /// The plugin that an engine id belongs to; the id itself when there is none.
    private func pluginId(of id: String, kind: PluginKind) async -> String {
        await plugins(kind: kind).map(\.manifest.id).first { id == $0 || id.hasPrefix($0 + ".") } ?? id
    }
}
