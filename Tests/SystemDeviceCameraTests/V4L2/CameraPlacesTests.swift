import Foundation
import Testing

@testable import SystemDeviceCamera

@Suite("Where cameras are looked for")
struct CameraPlacesTests {
    @Test("A node has the name that udev gave it, by which it is found again after it got another number")
    func names() throws {
        let folder = try TemporaryFolder()
        let (files, links) = (FileManager.default, folder.path + "/v4l/by-id")
        try files.createDirectory(atPath: links, withIntermediateDirectories: true)
        for node in ["video0", "video7", "videoX", "media0"] {
            #expect(files.createFile(atPath: folder.path + "/" + node, contents: nil))
        }
        try files.createSymbolicLink(atPath: links + "/usb-Front-index0", withDestinationPath: "../../video7")
        try files.createSymbolicLink(atPath: links + "/usb-Gone-index0", withDestinationPath: "../../video9")
        let places = CameraPlaces(devices: folder.path)
        #expect(places.nodes == [folder.path + "/video0", folder.path + "/video7"])
        let node = try #require(places.resolved(folder.path + "/video7"))
        #expect(places.names == [node: "usb-Front-index0"])
        let camera = V4L2Camera(name: "usb-Front-index0", model: "Front", path: node, modes: [], problem: nil)
        for name in ["usb-Front-index0", node, links + "/usb-Front-index0"] {
            #expect(camera.answers(to: name, in: places))
        }
        #expect(!camera.answers(to: "usb-Gone-index0", in: places))
        #expect(!camera.answers(to: folder.path + "/video0", in: places))
    }

    @Test("Files that are no cameras are none")
    func ordinaryFiles() throws {
        let folder = try TemporaryFolder()
        #expect(FileManager.default.createFile(atPath: folder.path + "/video0", contents: Data("no camera".utf8)))
        #expect(V4L2Camera.all(in: CameraPlaces(devices: folder.path)).isEmpty)
    }
}
