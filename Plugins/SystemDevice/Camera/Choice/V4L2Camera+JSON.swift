import GlassesPluginKit

extension V4L2Camera {
    /// Cameras and sizes that are told: the facts of a transport have 64 KiB.
    private static let (cameraLimit, modeLimit) = (8, 48)

    /// What `glasses devices` shows of `cameras`.
    package static func json(_ cameras: [V4L2Camera]) -> PluginJSON {
        .array(cameras.prefix(cameraLimit).map(\.json))
    }

    /// `{"name", "description", "path", "modes": [{"format", "width", "height", "frameRates"}], "code"?, "problem"?}`.
    private var json: PluginJSON {
        let formats = (description?.formats ?? []).prefix(Self.modeLimit)
        var members: [String: PluginJSON] = [
            "name": .string(name), "description": .string(model), "path": .string(path),
            "modes": .array(
                formats.map { format in
                    [
                        "format": .string(format.format.rawValue), "width": .number(Double(format.width)),
                        "height": .number(Double(format.height)),
                        "frameRates": .array(format.frameRates.map { .number(Double($0)) }),
                    ]
                }),
        ]
        if let problem {
            members["code"] = .string(problem.code)
            members["problem"] = .string(problem.message)
        }
        return .object(members)
    }
}
