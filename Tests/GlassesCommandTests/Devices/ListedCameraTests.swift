import GlassesCore
import Testing

@testable import glasses

@Suite("Cameras on the command line")
struct ListedCameraTests {
    private static let details: [String: JSONValue] = [
        "cameras": [
            [
                "name": "usb-1 Front", "description": "Front", "path": "/dev/video0",
                "modes": [
                    ["format": "jpeg", "width": 1_280, "height": 720, "frameRates": [60, 30]],
                    ["format": "yuyv", "width": 640, "height": 480, "frameRates": [30]],
                    ["format": "jpeg", "width": 640, "height": 480, "frameRates": [30]],
                ],
            ],
            [
                "name": "/dev/video2", "description": "/dev/video2", "path": "/dev/video2", "modes": [],
                "code": "camera_denied", "problem": "Add your user to the group video.",
            ],
        ]
    ]

    @Test("they are listed by their names, with the modes of each format, or with what keeps them from use")
    func lines() {
        let inventory = DeviceInventory(details: Self.details)
        let lines = inventory.lines(transports: [], Console(environment: ["NO_COLOR": "1"]))
        let start = lines.firstIndex { $0.contains("Cameras (--camera)") } ?? lines.endIndex
        #expect(
            lines[start...].dropFirst().prefix(5) == [
                "  usb-1 Front  Front, /dev/video0", "    jpeg: 1280x720@60 640x480@30", "    yuyv: 640x480@30",
                "  /dev/video2", "    Add your user to the group video.",
            ])
        #expect(
            inventory.json(transports: [])["cameras"]?.arrayValue?.map { $0["name"]?.stringValue } == [
                "usb-1 Front", "/dev/video2",
            ])
    }

    @Test("doctor names the largest size, and warns of a camera that cannot be used")
    func checkup() {
        let findings = CameraCheckup.findings(ListedCamera.list(Self.details))
        #expect(findings.map(\.level) == [.ok, .warning])
        #expect(findings.first?.text == "usb-1 Front, up to 1280x720")
        #expect(CameraCheckup.findings([]).map(\.level) == [.ok])
    }

    @Test("a camera's file is told by an absolute path, and sound alone asks for no camera")
    func option() throws {
        let arguments = { (text: String) in
            ParsedArguments(command: "photo", occurrences: [.init(name: "--camera", value: text)], words: [])
        }
        let file = try DeviceOptions(arguments("file:/tmp/a/../film.mjpeg"))
        #expect(file.camera == "file:/tmp/film.mjpeg")
        #expect(try DeviceOptions(arguments("pattern")).camera == "pattern")
        #expect(try DeviceOptions(arguments("file:film.mjpeg")).camera?.hasPrefix("file:/") == true)
        #expect(throws: UsageError.self) { try DeviceOptions(arguments("")) }
        guard case .plugin(_, let settings) = DeviceOptions(kind: .system).withoutMicrophone.transport else {
            Issue.record("The system device is no plugin.")
            return
        }
        #expect(settings["camera"] == "none")
    }
}
