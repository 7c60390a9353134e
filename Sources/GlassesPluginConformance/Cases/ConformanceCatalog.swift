import GlassesPluginHost

/// Every promise that is tried, in the order of the table.
enum ConformanceCatalog {
    /// All cases.
    static let all: [ConformanceCase] =
        ManifestCases.all + EntryCases.all + TransportCases.all + MicrophoneCases.all + SpeakerCases.all
        + CameraCases.all + DisplayCases.all + RegistrationCases.all + ReportCases.power + ReportCases.input
        + RecogniserCases.all + SynthesiserCases.all + DetectorCases.all

    /// The case named `id`.
    static func named(_ id: String) -> ConformanceCase? { all.first { $0.id == id } }

    /// The cases that concern a plugin of `kinds`.
    static func cases(for kinds: [PluginKind]) -> [ConformanceCase] {
        all.filter { entry in
            switch entry.subject {
            case .manifest, .entry: true
            case .transport, .microphone, .speaker, .camera, .display, .registration, .power, .input:
                kinds.contains(.transport)
            case .stt: kinds.contains(.stt)
            case .tts: kinds.contains(.tts)
            case .vad: kinds.contains(.vad)
            }
        }
    }
}
