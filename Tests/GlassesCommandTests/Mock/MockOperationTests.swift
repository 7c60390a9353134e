import GlassesDomain
import Testing

@testable import glasses

@Suite("What glasses mock asks of an app")
struct MockOperationTests {
    struct Row: Sendable, CustomTestStringConvertible {
        var words: [String]
        var path: String
        var body: JSONValue
        var testDescription: String { words.joined(separator: " ") }
    }

    private static let all = MockOperation.all

    static let rows = [
        Row(words: ["pair"], path: "/device/pair", body: [:]),
        Row(words: ["pair", "metaGlasses"], path: "/device/pair", body: ["model": "metaGlasses"]),
        Row(words: ["unpair"], path: "/device/unpair", body: [:]),
        Row(words: ["power-on"], path: "/device/power-on", body: [:]),
        Row(words: ["power-off"], path: "/device/power-off", body: [:]),
        Row(words: ["unfold"], path: "/device/unfold", body: [:]),
        Row(words: ["fold"], path: "/device/fold", body: [:]),
        Row(words: ["don"], path: "/device/don", body: [:]),
        Row(words: ["doff"], path: "/device/doff", body: [:]),
        Row(words: ["tap"], path: "/captouch/tap", body: [:]),
        Row(words: ["hold"], path: "/captouch/tap-and-hold", body: [:]),
        Row(words: ["battery", "15"], path: "/device/battery", body: ["level": 15]),
        Row(words: ["charging", "full"], path: "/device/charging", body: ["state": "full"]),
        Row(words: ["thermal", "critical"], path: "/device/thermal", body: ["level": "critical"]),
        Row(words: ["feed", "pattern"], path: "/camera/set-feed", body: ["pattern": true]),
        Row(words: ["feed", "front"], path: "/camera/set-feed", body: ["facing": "front"]),
        Row(words: ["feed", "/a/film.mp4"], path: "/camera/set-feed", body: ["path": "/a/film.mp4"]),
        Row(words: ["image", "/a/b.png"], path: "/camera/set-captured-image", body: ["path": "/a/b.png"]),
        Row(
            words: ["permission", "camera", "denied"], path: "/permissions/set",
            body: ["permission": "camera", "status": "denied"]),
    ]

    @Test("Each operation is one request", arguments: rows)
    func request(row: Row) throws {
        let operation = try #require(Self.all.first { $0.name == row.words[0] })
        let values = Array(row.words.dropFirst())
        #expect(operation.objection(to: values) == nil)
        #expect(
            operation.request(values, glasses: nil)
                == MockOperation.Request(method: "POST", path: row.path, body: row.body))
    }

    @Test("The glasses that are named go along")
    func glasses() throws {
        let tap = try #require(Self.all.first { $0.name == "tap" })
        #expect(tap.request([], glasses: "g 1").body == ["deviceId": "g 1"])
        let photo = try #require(Self.all.first { $0.name == "photo" })
        let request = photo.request(["/a/b.jpg"], glasses: "g 1")
        #expect(request.path == "/camera/photo?deviceId=g%201" && request.file == "/a/b.jpg")
        let state = try #require(Self.all.first { $0.name == "state" })
        #expect(state.request([], glasses: nil) == MockOperation.Request(method: "GET", path: "/device/state"))
    }

    @Test(
        "Wrong words are refused, with the right ones",
        arguments: [
            ["battery"], ["battery", "101"], ["battery", "x"], ["don", "now"], ["permission", "camera"], ["feed"],
            ["photo"], ["pair", "a", "b"], ["dof"], ["fly"],
        ])
    func wrongWords(words: [String]) {
        let error = #expect(throws: UsageError.self) { try CommandLineTool.call(["mock"] + words) }
        #expect(error?.text.contains("glasses help mock") == true)
    }

    @Test("A mistyped operation is guessed")
    func suggestion() {
        let error = #expect(throws: UsageError.self) { try CommandLineTool.call(["mock", "unfodl"]) }
        #expect(error?.text.contains("unfold") == true)
    }

    @Test("The help names every operation")
    func help() throws {
        guard case .help(let text) = try CommandLineTool.call(["mock", "--help"]) else {
            Issue.record("no help")
            return
        }
        for operation in Self.all { #expect(text.contains(operation.name)) }
    }
}
