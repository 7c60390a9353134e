// swift-tools-version: 6.2
import PackageDescription

// The layer table in docs/architecture.md says which module may import which; Scripts/check-layers holds the two together.

let strict: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
]

let package = Package(
    name: "extentos",
    products: [
        .library(name: "GlassesCore", targets: ["GlassesCore"]),
        .library(name: "GlassesTesting", targets: ["GlassesTesting"]),
        .library(name: "GlassesNet", targets: ["GlassesNet"]),
        .library(name: "GlassesServer", targets: ["GlassesServer"]),
        .library(name: "GlassesWebSocket", targets: ["GlassesWebSocket"]),
        .library(name: "GlassesRealtime", targets: ["GlassesRealtime"]),
        .library(name: "GlassesGateway", targets: ["GlassesGateway"]),
        .library(name: "GlassesMedia", targets: ["GlassesMedia"]),
        .library(name: "CTurboJPEG", targets: ["CTurboJPEG"]),
        .library(name: "MWDATCore", targets: ["MWDATCore"]),
        .library(name: "MWDATBridge", targets: ["MWDATBridge"]),
        .library(name: "MWDATImage", targets: ["MWDATImage"]),
        .library(name: "MWDATCamera", targets: ["MWDATCamera"]),
        .library(name: "MWDATMockDevice", targets: ["MWDATMockDevice"]),
        .library(name: "MWDATMockDeviceTestClient", targets: ["MWDATMockDeviceTestClient"]),
        .library(name: "MWDATDisplay", targets: ["MWDATDisplay"]),
        .library(name: "GlassesDomain", targets: ["GlassesDomain"]),
        .library(name: "GlassesPluginHost", targets: ["GlassesPluginHost"]),
        .library(name: "GlassesPluginKit", targets: ["GlassesPluginKit"]),
        .library(name: "CGlassesPlugin", targets: ["CGlassesPlugin"]),
        .executable(name: "glasses", targets: ["glasses"]),
        .library(name: "SystemDevice", type: .dynamic, targets: ["SystemDevice"]),
        .library(name: "SpeechClassic", type: .dynamic, targets: ["SpeechClassic"]),
        .library(name: "SpeechNeural", type: .dynamic, targets: ["SpeechNeural"]),
        .library(name: "MetaDAT", type: .dynamic, targets: ["MetaDAT"]),
        .library(name: "LoopbackTransport", type: .dynamic, targets: ["LoopbackTransport"]),
        // For tests: what the seeds' blocks are linked with, and cameras that are not there.
        .library(
            name: "SeedModules", type: .dynamic,
            targets: ["AppleShims", "MWDATCore", "MWDATCamera", "MWDATDisplay", "MWDATMockDevice", "GlassesCore"]),
        .library(name: "V4L2StandIn", type: .dynamic, targets: ["V4L2StandIn"]),
    ],
    targets: [
        // Layer 0
        .target(name: "CGlassesPlugin"),
        .target(name: "CDigest"),
        .target(
            name: "CSherpaOnnx", path: "ThirdParty/sherpa-onnx",
            exclude: [
                "LICENSE", "LICENSE-onnxruntime", "README.md",
            ]),
        .target(name: "CShims", cSettings: [.define("_GNU_SOURCE")]),
        .target(name: "CWorkerThreads", cSettings: [.define("_GNU_SOURCE")]),
        .target(name: "CSandbox", cSettings: [.define("_GNU_SOURCE")]),
        .systemLibrary(name: "CALSA", providers: [.apt(["libasound2-dev"])]),
        .systemLibrary(name: "CSpeexDSP", providers: [.apt(["libspeexdsp-dev"])]),
        .target(name: "MWDATCore"),
        .systemLibrary(name: "CTurboJPEG", providers: [.apt(["libturbojpeg0-dev"])]),
        .systemLibrary(name: "CPNG", providers: [.apt(["libpng-dev"])]),
        .systemLibrary(name: "COpus", providers: [.apt(["libopus-dev"])]),
        .systemLibrary(name: "COpenH264", providers: [.apt(["libopenh264-dev"])]),
        .target(name: "CPixels"),
        .systemLibrary(name: "CCurl", providers: [.apt(["libcurl4-openssl-dev"])]),
        .systemLibrary(name: "CGnuTLS", providers: [.apt(["libgnutls28-dev"])]),
        .systemLibrary(name: "CMicrohttpd", providers: [.apt(["libmicrohttpd-dev"])]),
        .target(name: "GlassesDomain"),
        // Layer 1
        .target(name: "GlassesAssistant", dependencies: ["GlassesDomain"]),
        .target(name: "GlassesRealtime", dependencies: ["GlassesDomain"]),
        .target(name: "GlassesWebSocket", dependencies: ["GlassesDomain"]),
        .target(name: "GlassesAudio", dependencies: ["GlassesDomain", "CSpeexDSP", "COpus"]),
        .target(name: "GlassesPluginKit", dependencies: ["CGlassesPlugin"]),
        .target(name: "MWDATImage", dependencies: ["CTurboJPEG", "CPNG", "CPixels"]),
        // Layer 2
        .target(name: "MWDATDisplay", dependencies: ["MWDATCore", "MWDATImage", "CPixels"]),
        .target(
            name: "GlassesDialects",
            dependencies: ["GlassesDomain", "GlassesRealtime", "GlassesAudio", "GlassesWebSocket"]),
        .target(name: "GlassesNet", dependencies: ["GlassesDomain", "GlassesWebSocket", "CCurl", "CShims"]),
        .target(
            name: "GlassesServer",
            dependencies: ["GlassesDomain", "GlassesWebSocket", "CMicrohttpd", "CGnuTLS", "CShims"]),
        .target(
            name: "GlassesPluginHost",
            dependencies: ["GlassesDomain", "CGlassesPlugin", "CDigest", "CShims", "CSandbox"]),
        .target(
            name: "GlassesMedia",
            dependencies: ["GlassesDomain", "GlassesAudio", "CTurboJPEG", "COpenH264", "COpus", "CPixels"]),
        .target(name: "GlassesPipeline", dependencies: ["GlassesDomain", "GlassesRealtime", "GlassesAudio"]),
        .target(name: "MWDATCamera", dependencies: ["MWDATCore", "MWDATImage"]),
        // Layer 3
        .target(
            name: "GlassesRuntime",
            dependencies: ["GlassesDomain", "GlassesAssistant", "GlassesRealtime", "GlassesAudio"]),
        .target(
            name: "MWDATMockDevice",
            dependencies: [
                "MWDATCore", "MWDATImage", "GlassesServer", "GlassesWebSocket", "GlassesMedia", "GlassesDomain",
                "CPixels",
                "CShims",
            ]),
        .target(
            name: "MWDATMockDeviceTestClient", dependencies: ["GlassesNet", "GlassesWebSocket", "GlassesDomain"]),
        .target(
            name: "GlassesPluginConformance",
            dependencies: ["GlassesPluginHost", "GlassesDomain", "CGlassesPlugin", "CShims"]),
        .target(
            name: "MWDATBridge",
            dependencies: [
                "MWDATCore", "GlassesDomain", "GlassesWebSocket", "GlassesNet", "GlassesServer", "CDigest", "CShims",
            ]),
        // Layer 4
        .target(
            name: "GlassesCore",
            dependencies: [
                "GlassesDomain", "GlassesRuntime", "GlassesNet", "GlassesPluginHost", "GlassesPipeline", "GlassesMedia",
                "GlassesDialects", "MWDATCore",
            ]),
        .target(name: "GlassesTesting", dependencies: ["GlassesDomain", "GlassesRealtime", "GlassesRuntime"]),
        // Layer 5
        .target(
            name: "GlassesGateway",
            dependencies: [
                "GlassesCore", "GlassesDomain", "GlassesRealtime", "GlassesWebSocket", "GlassesNet", "GlassesServer",
                "GlassesPipeline", "GlassesDialects", "GlassesAudio", "CShims",
            ]),
        // Layer 7
        .executableTarget(name: "glasses-plugin-probe", dependencies: ["GlassesPluginHost", "CWorkerThreads"]),
        .executableTarget(name: "glasses-plugin-host", dependencies: ["GlassesPluginHost", "CWorkerThreads"]),
        .executableTarget(
            name: "glasses-plugin-validator", dependencies: ["GlassesPluginConformance", "CWorkerThreads"]),
        .executableTarget(
            name: "glasses",
            dependencies: [
                "GlassesAssistant", "GlassesCore", "GlassesDomain", "GlassesRuntime", "GlassesAudio",
                "GlassesPluginHost", "GlassesNet",
                "GlassesServer", "GlassesGateway", "GlassesPipeline", "GlassesRealtime", "GlassesPluginConformance",
                "GlassesMedia", "MWDATMockDevice", "MWDATMockDeviceTestClient",
            ]),
        // Plugins
        .target(
            name: "CWebRTCAudio", path: "Plugins/SystemDevice/WebRTCAudio",
            cxxSettings: [
                .define("WEBRTC_POSIX"), .define("WEBRTC_AUDIO_PROCESSING_ONLY_BUILD"),
                .unsafeFlags(["-isystem", "/usr/include/webrtc_audio_processing"]),
            ]),
        .target(
            name: "SystemDeviceStreams",
            dependencies: ["GlassesPluginKit", "CGlassesPlugin", "CShims", "CALSA", "CWebRTCAudio"],
            path: "Plugins/SystemDevice/Streams"),
        .target(name: "CVideo4Linux", path: "Plugins/SystemDevice/Video4Linux"),
        .target(
            name: "SystemDeviceCamera",
            dependencies: ["SystemDeviceStreams", "GlassesPluginKit", "CGlassesPlugin", "CVideo4Linux"],
            path: "Plugins/SystemDevice/Camera"),
        .target(
            name: "SystemDevice",
            dependencies: ["SystemDeviceStreams", "SystemDeviceCamera", "GlassesPluginKit", "CGlassesPlugin"],
            path: "Plugins/SystemDevice/Plugin", resources: [.copy("plugin.json")]),
        .target(
            name: "SpeechEngineKit", dependencies: ["GlassesPluginKit", "CGlassesPlugin", "CShims"],
            path: "Plugins/SpeechEngineKit"),
        .target(
            name: "SpeechClassic", dependencies: ["SpeechEngineKit", "GlassesPluginKit", "CGlassesPlugin"],
            path: "Plugins/SpeechClassic", resources: [.copy("plugin.json")]),
        .target(
            name: "SpeechNeuralEngines",
            dependencies: ["SpeechEngineKit", "GlassesPluginKit", "CGlassesPlugin", "CSherpaOnnx", "CDigest"],
            path: "Plugins/SpeechNeural/Engines"),
        .target(
            name: "SpeechNeural", dependencies: ["SpeechNeuralEngines", "GlassesPluginKit", "CGlassesPlugin"],
            path: "Plugins/SpeechNeural/Plugin", resources: [.copy("plugin.json")]),
        .target(
            name: "MetaDATDevice",
            dependencies: [
                "GlassesPluginKit", "CGlassesPlugin", "MWDATCore", "MWDATCamera", "MWDATDisplay", "MWDATBridge",
            ],
            path: "Plugins/MetaDAT/Device"),
        .target(
            name: "MetaDAT", dependencies: ["MetaDATDevice", "GlassesPluginKit", "CGlassesPlugin"],
            path: "Plugins/MetaDAT/Plugin", resources: [.copy("plugin.json")]),
        .target(
            name: "LoopbackTransport", dependencies: ["CGlassesPlugin"],
            path: "Plugins/LoopbackTransport", resources: [.copy("plugin.json")],
            cSettings: [.define("_GNU_SOURCE")]),
        // Examples
        .executableTarget(name: "VoiceAssistant", dependencies: ["GlassesCore"], path: "Examples/VoiceAssistant"),
        .executableTarget(name: "AssistantTour", dependencies: ["GlassesCore"], path: "Examples/AssistantTour"),
        .executableTarget(name: "CameraTool", dependencies: ["GlassesCore"], path: "Examples/CameraTool"),
        // Its phone's side, for an app on iOS; here it is type-checked and tried against the modules of the same names.
        .executableTarget(
            name: "CameraAccess", dependencies: ["MWDATCore", "MWDATCamera", "MWDATMockDevice"],
            path: "Examples/CameraAccess"),
        .target(
            name: "DATBridgePhone", dependencies: ["MWDATCore", "MWDATCamera"], path: "Examples/DATBridge-iOS",
            exclude: ["README.md"], sources: ["Sources"]),
        // Tests
        .testTarget(name: "GlassesDomainTests", dependencies: ["GlassesDomain"]),
        .testTarget(
            name: "GlassesAssistantTests", dependencies: ["GlassesAssistant", "GlassesDomain", "SessionStorm"],
            resources: [.copy("Lifecycle/lifecycle-table.txt"), .copy("Traces")]),
        .target(
            name: "SessionStorm", dependencies: ["GlassesAssistant", "GlassesDomain", "SeededRandom"],
            path: "Tests/Support/SessionStorm"),
        .executableTarget(
            name: "session-storm", dependencies: ["SessionStorm", "GlassesAssistant", "GlassesDomain"],
            path: "Tests/Support/session-storm"),
        .target(name: "SeededRandom", path: "Tests/Support/SeededRandom"),
        .testTarget(
            name: "GlassesDialectsTests",
            dependencies: ["GlassesDialects", "GlassesRealtime", "GlassesAudio", "GlassesWebSocket", "GlassesDomain"]),
        .testTarget(
            name: "GlassesRealtimeTests", dependencies: ["GlassesRealtime", "GlassesDomain", "SeededRandom"]),
        .testTarget(
            name: "GlassesWebSocketTests", dependencies: ["GlassesWebSocket", "GlassesDomain", "SeededRandom"]),
        .target(name: "HangingNames", path: "Tests/Support/HangingNames"),
        .target(
            name: "NetworkLab",
            dependencies: [
                "GlassesWebSocket", "GlassesDomain", "TestProcess", "CGnuTLS", "HangingNames", "CShims", "SeededRandom",
            ],
            path: "Tests/Support/NetworkLab"),
        .testTarget(
            name: "GlassesNetTests",
            dependencies: [
                "GlassesNet", "GlassesWebSocket", "GlassesDomain", "NetworkLab", "HangingNames", "CCurl", "CShims",
                "SeededRandom",
            ]),
        .testTarget(
            name: "GlassesServerTests",
            dependencies: ["GlassesServer", "GlassesWebSocket", "GlassesDomain", "NetworkLab", "CShims"]),
        .testTarget(
            name: "GlassesGatewayTests",
            dependencies: [
                "GlassesGateway", "GlassesServer", "GlassesNet", "GlassesWebSocket", "GlassesRealtime",
                "GlassesDialects", "GlassesAudio", "GlassesPipeline", "GlassesCore", "GlassesDomain", "NetworkLab",
                "TestProcess", "CShims", "glasses",
            ]),
        .testTarget(name: "GlassesAudioTests", dependencies: ["GlassesAudio", "GlassesDomain", "SeededRandom"]),
        .testTarget(
            name: "GlassesPluginHostTests",
            dependencies: [
                "GlassesPluginHost", "GlassesDomain", "CGlassesPlugin", "CDigest", "CShims", "GlassesPluginKit",
                "TestProcess",
            ]),
        .executableTarget(
            name: "plugin-lab", dependencies: ["GlassesPluginHost", "GlassesDomain"], path: "Tests/Support/PluginLab"),
        .executableTarget(
            name: "sandbox-probe", dependencies: ["GlassesPluginHost", "GlassesDomain"],
            path: "Tests/Support/SandboxProbe"),
        .testTarget(
            name: "PluginSandboxTests",
            dependencies: [
                "GlassesPluginHost", "GlassesDomain", "TestProcess", "sandbox-probe", "glasses-plugin-host",
                "glasses-plugin-probe",
            ]),
        .testTarget(
            name: "GlassesPluginConformanceTests",
            dependencies: ["GlassesPluginConformance", "GlassesPluginHost", "GlassesDomain", "TestProcess"],
            exclude: ["Broken"]),
        .testTarget(
            name: "OwnPluginsTests",
            dependencies: [
                "GlassesPluginConformance", "GlassesPluginHost", "GlassesDomain", "SoundServer",
                "glasses-plugin-validator",
            ]),
        .testTarget(
            name: "GlassesPipelineTests",
            dependencies: [
                "GlassesPipeline", "GlassesDomain", "GlassesRealtime", "GlassesAudio", "GlassesPluginHost",
                "BlockedPool",
            ]),
        .testTarget(
            name: "GlassesRuntimeTests",
            dependencies: [
                "GlassesRuntime", "GlassesTesting", "GlassesDomain", "GlassesAssistant", "GlassesRealtime",
                "GlassesAudio", "GlassesDialects", "GlassesNet", "GlassesServer", "GlassesWebSocket", "SeededRandom",
            ]),
        .target(name: "FramePattern", path: "Tests/Support/FramePattern"),
        .testTarget(name: "FramePatternTests", dependencies: ["FramePattern"]),
        .testTarget(
            name: "GlassesMediaTests",
            dependencies: ["GlassesMedia", "GlassesDomain", "FramePattern", "TestProcess", "CTurboJPEG", "clip-lab"]),
        .executableTarget(
            name: "clip-lab", dependencies: ["GlassesMedia", "GlassesDomain", "FramePattern"],
            path: "Tests/Support/ClipLab"),
        .target(name: "BlockedPool", path: "Tests/Support/BlockedPool"),
        .target(name: "AppleShims", path: "Tests/Support/AppleShims"),
        .testTarget(
            name: "SeedBlocks",
            dependencies: [
                "AppleShims", "MWDATCore", "MWDATCamera", "MWDATDisplay", "MWDATMockDevice", "GlassesCore", "CDigest",
                "TestProcess",
            ],
            exclude: ["Frames", "blocks.json", "Info.plist"]),
        .testTarget(
            name: "MWDATDisplayTests", dependencies: ["MWDATDisplay", "MWDATCore", "MWDATImage", "TestLink"]),
        .testTarget(name: "MWDATImageTests", dependencies: ["MWDATImage"]),
        .testTarget(
            name: "MWDATCameraTests",
            dependencies: ["MWDATCamera", "MWDATCore", "MWDATImage", "TestLink", "SeededRandom"]),
        .testTarget(
            name: "GlassesCoreTests",
            dependencies: [
                "GlassesCore", "GlassesTesting", "GlassesDomain", "GlassesPluginHost", "GlassesRuntime", "BlockedPool",
            ]),
        .testTarget(
            name: "SystemDeviceTests",
            dependencies: [
                "SystemDeviceStreams", "GlassesPluginHost", "GlassesPluginKit", "GlassesDomain", "CGlassesPlugin",
                "CShims", "CALSA", "CWebRTCAudio", "GlassesAudio", "SoundServer", "SpokenSamples", "SeededRandom",
            ]),
        .target(
            name: "V4L2StandIn", path: "Tests/Support/V4L2StandIn", linkerSettings: [.linkedLibrary("turbojpeg")]),
        .executableTarget(
            name: "camera-lab", dependencies: ["GlassesPluginHost", "GlassesDomain", "FramePattern", "CTurboJPEG"],
            path: "Tests/Support/CameraLab"),
        .testTarget(
            name: "SystemDeviceCameraTests",
            dependencies: [
                "SystemDeviceCamera", "GlassesPluginHost", "GlassesPluginKit", "GlassesDomain", "CGlassesPlugin",
                "CVideo4Linux", "CTurboJPEG", "CShims", "FramePattern", "TestProcess", "camera-lab",
                "glasses-plugin-host",
                "glasses-plugin-probe",
            ]),
        .testTarget(
            name: "SpeechClassicTests",
            dependencies: ["GlassesPluginHost", "GlassesDomain", "SpokenSamples", "WordErrors"]),
        .testTarget(
            name: "SpeechEngineKitTests", dependencies: ["SpeechEngineKit", "GlassesPluginKit", "CGlassesPlugin"]),
        .testTarget(
            name: "SpeechNeuralTests",
            dependencies: [
                "SpeechNeuralEngines", "GlassesPluginHost", "GlassesDomain", "SpokenSamples", "TestProcess",
                "WordErrors", "glasses-plugin-host",
            ],
            exclude: ["Support/FakeSherpa"]),
        .target(name: "TestLink", dependencies: ["MWDATCore"], path: "Tests/Support/TestLink"),
        .target(name: "PeerPhone", path: "Tests/Support/PeerPhone"),
        .testTarget(name: "MWDATCoreTests", dependencies: ["MWDATCore", "TestLink", "SeededRandom"]),
        .testTarget(
            name: "MWDATSharedTests",
            dependencies: ["MWDATBridge", "MWDATMockDevice", "MWDATCamera", "MWDATCore", "TestLink"]),
        .target(name: "WordErrors", path: "Tests/Support/WordErrors"),
        .testTarget(name: "WordErrorsTests", dependencies: ["WordErrors", "word-errors"]),
        .target(name: "SpokenSamples", dependencies: ["GlassesAudio"], path: "Tests/Support/SpokenSamples"),
        .executableTarget(
            name: "word-errors",
            dependencies: ["GlassesPluginHost", "GlassesDomain", "GlassesAudio", "SpokenSamples", "WordErrors"],
            path: "Tests/Support/WordErrorTable"),
        .testTarget(
            name: "MWDATMockDeviceTests",
            dependencies: [
                "MWDATMockDevice", "MWDATMockDeviceTestClient", "MWDATCore", "MWDATCamera", "MWDATDisplay",
                "MWDATImage", "GlassesNet", "GlassesWebSocket", "GlassesMedia", "GlassesDomain", "FramePattern",
                "SeededRandom", "TestLink", "TestProcess",
            ]),
        .target(name: "SoundServer", path: "Tests/Support/SoundServer"),
        .testTarget(
            name: "EndToEndTests",
            dependencies: [
                "GlassesCore", "GlassesAudio", "GlassesDomain", "GlassesPluginHost", "GlassesRealtime",
                "GlassesRuntime", "GlassesTesting", "SoundServer", "SeededRandom",
            ]),
        .testTarget(
            name: "OfficialClientTests",
            dependencies: [
                "GlassesAssistant", "GlassesAudio", "GlassesDomain", "GlassesRealtime", "NetworkLab", "SoundServer",
            ], exclude: ["Python"]),
        .target(name: "TestProcess", path: "Tests/Support/TestProcess"),
        .testTarget(
            name: "GlassesCommandTests",
            dependencies: [
                "glasses", "GlassesAssistant", "GlassesCore", "GlassesDomain", "GlassesAudio", "GlassesPluginHost",
                "GlassesTesting", "GlassesRealtime", "TestProcess", "FramePattern", "MWDATMockDevice", "PeerPhone",
            ]),
        .testTarget(
            name: "GatewayEndToEndTests",
            dependencies: [
                "glasses", "GlassesCore", "GlassesAudio", "GlassesDomain", "GlassesPluginHost", "GlassesRealtime",
                "GlassesRuntime", "GlassesTesting", "GlassesWebSocket", "NetworkLab", "SoundServer", "TestProcess",
                "SeededRandom", "GlassesNet", "GlassesGateway", "GlassesPipeline", "GlassesServer",
            ],
            resources: [.copy("conversation.txt"), .copy("ten-turns.txt")]),
        .testTarget(
            name: "MWDATBridgeTests",
            dependencies: [
                "MWDATBridge", "MWDATCore", "MWDATCamera", "DATBridgePhone", "GlassesServer", "NetworkLab", "TestLink",
                "SeededRandom", "TestProcess", "PeerPhone",
            ], exclude: ["Peer"]),
        .testTarget(
            name: "MetaDATTests",
            dependencies: [
                "MetaDATDevice", "MWDATMockDevice", "MWDATCore", "GlassesCore", "GlassesDomain", "GlassesPluginKit",
                "PeerPhone", "GlassesPluginConformance", "GlassesPluginHost", "glasses-plugin-validator",
                "glasses-plugin-host", "glasses-plugin-probe",
            ]),
        .testTarget(name: "ScriptTests", dependencies: ["TestProcess"], exclude: ["assistant-api.txt"]),
        .testTarget(name: "VoiceAssistantTests", dependencies: ["VoiceAssistant", "GlassesTesting", "GlassesCore"]),
        .testTarget(
            name: "GlassesTestingTests", dependencies: ["GlassesTesting", "GlassesDomain", "GlassesRuntime"]),
        .testTarget(name: "CameraToolTests", dependencies: ["CameraTool", "glasses-plugin-host", "TestProcess"]),
        .testTarget(name: "CameraAccessTests", dependencies: ["CameraAccess", "TestProcess"]),
    ],
    swiftLanguageModes: [.v6]
)

for target in package.targets where target.type != .system && target.type != .plugin {
    let isC = [
        "CGlassesPlugin", "CDigest", "CSherpaOnnx", "CShims", "CSandbox", "CPixels", "CWebRTCAudio", "CWorkerThreads",
        "LoopbackTransport", "HangingNames", "CVideo4Linux", "V4L2StandIn",
    ].contains(target.name)
    if !isC { target.swiftSettings = (target.swiftSettings ?? []) + strict }
}

// A plugin exports its entry and nothing else; the version script hides the rest.
let plugins = ["SystemDevice", "SpeechClassic", "SpeechNeural", "MetaDAT", "LoopbackTransport"]
for target in package.targets where plugins.contains(target.name) {
    target.linkerSettings = [
        .unsafeFlags(["-Xlinker", "--version-script=\(Context.packageDirectory)/Plugins/exports.map"])
    ]
}
