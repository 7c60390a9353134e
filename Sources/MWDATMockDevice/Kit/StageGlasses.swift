import Foundation
import Glibc
import MWDATCore

/// Glasses of the kit's stage: a name and a way to it, without a state of its own.
struct StageGlasses: MockGlasses, MockGlassesServices, MockCameraKit, MockCaptouchKit, MockDisplayKit {
    let deviceIdentifier: DeviceIdentifier
    let stage: MockStage

    private func operate(_ operation: MockDeviceOperation) {
        for note in stage.operate(.device(deviceIdentifier, operation)) { Warnings.tell(note) }
    }

    var services: any MockGlassesServices { self }
    var camera: any MockCameraKit { self }
    var captouch: any MockCaptouchKit { self }
    var display: any MockDisplayKit { self }

    func powerOn() { operate(.powerOn) }
    func powerOff() { operate(.powerOff) }
    func don() { operate(.don) }
    func doff() { operate(.doff) }
    func fold() { operate(.fold) }
    func unfold() { operate(.unfold) }
    func setBatteryLevel(_ level: Int) { operate(.battery(level)) }
    func setChargingState(_ state: ChargingState) { operate(.charging(state)) }
    func setThermalLevel(_ level: ThermalLevel) { operate(.thermal(level)) }
    func setCompatibility(_ compatibility: Compatibility) { operate(.compatibility(compatibility)) }
    func happen(_ incident: MockIncident) { operate(.incident(incident)) }

    // MARK: Camera

    func setCameraFeed(fileURL: URL) { operate(.feed(MockFeedSource(file: fileURL.path))) }

    func setCameraFeed(cameraFacing: CameraFacing) { operate(.feed(.camera(Self.camera(facing: cameraFacing)))) }

    func setTestPattern() { operate(.feed(.pattern)) }

    func setCapturedImage(fileURL: URL) { operate(.capturedImage(fileURL.path)) }

    /// The camera that stands in for a phone's; the first one's usual name when there is none, so that its stream says so.
    private static func camera(facing: CameraFacing) -> String {
        let files: [String]
        do { files = try FileManager.default.contentsOfDirectory(atPath: "/dev") } catch { return "/dev/video0" }
        let names = files.filter { $0.hasPrefix("video") }
            .sorted { $0.localizedStandardCompare($1) == .orderedAscending }
        guard let first = names.first else { return "/dev/video0" }
        return "/dev/" + (facing == .front ? names.dropFirst().first ?? first : first)
    }

    // MARK: Touch pad and display

    func tap() { operate(.tap) }
    func tapAndHold() { operate(.tapAndHold) }

    func createPreviewView() -> MockDisplayPreview {
        let shown = stage.look { world in
            world.find(deviceIdentifier)?.session.flatMap { world.sessions[$0]?.display }
        }
        let view = shown?.tree.map(ShownView.init)
        return MockDisplayPreview(
            tree: shown?.tree, texts: view?.texts ?? [], identifiers: view?.identifiers ?? [],
            isPlaying: shown?.isPlaying ?? false)
    }

    func sendClick(identifier: String) { operate(.click(identifier)) }
    func finishVideo() { operate(.videoEnded) }
}

extension MockFeedSource {
    /// What a path stands for: a device file is a camera.
    init(file path: String) {
        var facts = stat()
        let isDevice = stat(path, &facts) == 0 && facts.st_mode & S_IFMT == S_IFCHR
        self = isDevice ? .camera(path) : .path(path)
    }
}
