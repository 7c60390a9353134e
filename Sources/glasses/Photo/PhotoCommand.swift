import Foundation
@_spi(ExtentosTools) import GlassesCore
@_spi(ExtentosTools) import GlassesRuntime

/// `glasses photo`.
struct PhotoCommand: Command {
    static let out = OptionSpec(
        "--out", .text("FILE"), help: "Write the picture to FILE, which must not exist; otherwise to your cache folder."
    )
    static let still = OptionSpec(
        "--still", help: "Use the camera's own still function, which has its own size; otherwise a frame of its stream."
    )
    static let json = OptionSpec(
        "--json",
        help: "Print one JSON object: {path, width, height, format, exif}, or {code, message} when there is no picture."
    )
    static let spec = CommandSpec(
        "photo", summary: "Take a picture with the device's camera.",
        details: [
            "Prints the file's path and size. Only you can read the file. Without a camera, try --camera pattern.",
            "Exit codes: 0 taken, 2 wrong options, 3 no picture, and why.",
        ],
        options: [
            DeviceOptions.device, SimulatedGlasses.option, PhoneBridge.option, DeviceOptions.camera, Resolution.option,
            still, out, json,
        ],
        examples: ["glasses photo", "glasses photo --camera pattern --out test.jpg", "glasses photo --still --json"])

    private let device: DeviceOptions
    private let config: PhotoConfig
    private let target: CaptureTarget
    private let isJSON: Bool

    init(_ arguments: ParsedArguments) throws(UsageError) {
        device = try DeviceOptions(arguments).watching(withSound: false)
        config = PhotoConfig(
            resolution: Resolution(arguments), dedicatedCapture: arguments.has(Self.still.name))
        target = try CaptureTarget(arguments, Self.out)
        isJSON = arguments.has(Self.json.name)
    }

    func run(_ console: Console) async -> ExitStatus {
        if device.isMocked, let problem = await SimulatedGlasses.start(console) {
            console.report(problem)
            return .unavailable
        }
        let glasses = Extentos.create(
            config: ExtentosConfig(appId: "glasses", transport: device.transport, usedCapabilities: [.camera]),
            recorders: Extentos.Recorders(), captures: target.folder)
        let signals = EndSignals(console: console)
        // Ctrl-C takes back a photo that waits for its camera.
        let taken = await signals.unlessAsked { await take(glasses, console) }
        await glasses.shutdown()
        switch taken {
        case nil: return .ok
        case .success(let photo):
            print(photo, console)
            return .ok
        case .failure(let problem):
            if isJSON {
                console.print(
                    JSONValue.object(["code": .string(problem.code), "message": .string(problem.sentence)]).jsonText)
            }
            console.report(problem)
            return .unavailable
        }
    }

    private func take(_ glasses: any ExtentosGlasses, _ console: Console) async -> Result<Photo, Problem> {
        console.showProgress("Connecting …")
        if let error = await device.connect(glasses, console) { return .failure(Problem(error)) }
        console.showProgress("Waiting for the camera …")
        switch await glasses.camera.capturePhoto(config: config) {
        case .success(let photo):
            if config.dedicatedCapture, await wasTakenFromStream(glasses) {
                console.note("glasses: the camera takes no stills of its own; this is a frame of its stream")
            }
            return .success(photo)
        case .failure(let error): return .failure(Problem(error))
        }
    }

    private func wasTakenFromStream(_ glasses: any ExtentosGlasses) async -> Bool {
        await glasses.runtime.snapshotEvents().contains { event in
            if case .log(_, "camera.still_from_stream", _) = event { true } else { false }
        }
    }

    private func print(_ photo: Photo, _ console: Console) {
        let path = photo.uri.flatMap(URL.init(string:))?.path ?? ""
        guard isJSON else { return console.print("\(path)  \(photo.width)×\(photo.height)") }
        console.print(
            JSONValue.object([
                "path": .string(path), "width": .int(Int64(photo.width)), "height": .int(Int64(photo.height)),
                "format": .string(photo.format.rawValue), "exif": exif(photo),
            ]).jsonText)
    }

    private func exif(_ photo: Photo) -> JSONValue {
        guard let text = photo.exif else { return .null }
        do { return try JSONValue(jsonText: text) } catch { return .string(text) }
    }
}
