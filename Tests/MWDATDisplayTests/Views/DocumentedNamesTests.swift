import Foundation
import MWDATCore
import MWDATDisplay
import Testing

/// The documented names, used as an app uses them: this file sees what is public and no more.
@Suite struct DocumentedNamesTests {
    private static let cases: [(String, [String])] = [
        ("row column rowReverse columnReverse", names(Direction.self)),
        ("start center end stretch", names(Alignment.self)),
        ("heading body meta", names(TextStyle.self)), ("primary secondary", names(TextColor.self)),
        ("primary secondary outline", names(ButtonStyle.self)), ("filled outline", names(IconStyle.self)),
        ("icon fill", names(ImageSize.self)), ("none small medium", names(CornerRadius.self)),
        ("none card", names(Background.self)), ("primary", names(ActionRole.self)), ("mp4", names(VideoCodec.self)),
        ("stopped starting started stopping", names(DisplayState.self)),
        ("started ended error stopped unknown", names(VideoPlaybackEventType.self)),
        ("urlInvalid alreadyPlaying playbackFailed unknown", names(VideoErrorType.self)),
    ]

    private static func names<Names: CaseIterable>(_ type: Names.Type) -> [String] { type.allCases.map { "\($0)" } }

    @Test("An enumeration has the documented cases, and prints them by name", arguments: cases)
    func enumerations(_ documented: String, _ names: [String]) {
        #expect(names == documented.split(separator: " ").map(String.init))
    }

    @Test func errorsPrintTheirCase() {
        let errors: [DisplayError] = [
            .deviceNotFound, .connectionNotAvailable, .deviceDisconnected, .streamRejected, .invalidVideoURL,
            .displayError("why"),
        ]
        #expect(
            errors.map { "\($0 as any Error)" } == [
                "deviceNotFound", "connectionNotAvailable", "deviceDisconnected", "streamRejected", "invalidVideoURL",
                "displayError(\"why\")",
            ])
    }

    /// What an app writes; that it compiles is the test's first half.
    @MainActor private final class App {
        var session: DeviceSession?
        var shown: [String] = []

        func view(_ picture: UIImage, _ names: [String], isLoud: Bool) -> FlexBox {
            FlexBox(
                direction: .column, spacing: 12, alignment: .center, crossAlignment: .stretch, wrap: false,
                padding: EdgeInsets(all: 8)
            ) {
                Text("Title", style: .heading, color: .primary).padding(4).alignSelf(.center)
                for name in names { Text(name).flexGrow(1).flexShrink(0) }
                if isLoud { Icon(name: .bell, style: .filled) } else { Icon(name: .bellOff) }
                Image(uri: "https://example.com/a.png", sizePreset: .icon, cornerRadius: .medium)
                Image(image: picture, sizePreset: .fill, cornerRadius: .none).onTap { [weak self] in
                    Task { @MainActor in self?.shown.append("picture") }
                }
                ButtonGroup {
                    Button(label: "Yes", style: .primary, iconName: .checkmark, onClick: {}).actionRole(.primary)
                    Button(label: "No", style: .outline) {}
                }
            }
            .padding(EdgeInsets(top: 1, bottom: 2, leading: 3, trailing: 4))
            .background(isLoud ? .card : .none)
        }

        func show(_ view: some DisplayableView) async throws {
            guard let display = try session?.addDisplay() else { return }
            display.onPlaybackEvent = { event in print(event.type, event.errorType ?? .unknown) }
            let token = display.statePublisher.listen { state in print(state) }
            display.start()
            for await state in display.statePublisher.stream where state == .started { break }
            try await display.send(view)
            try await display.send(
                VideoPlayer(provider: .uri("https://example.com/a.mp4"), codec: .mp4, onError: { print($0) }))
            await display.sendVideoStop()
            try await display.clearDisplay()
            display.stop()
            await token.cancel()
        }
    }

    @Test func aViewOfEveryDocumentedNameCanBeMade() async throws {
        let picture = try #require(UIImage(width: 1, height: 1, rgba: [0, 0, 0, 255]))
        let app = App()
        try await app.show(app.view(picture, ["a", "b"], isLoud: true))
        #expect(await app.shown.isEmpty)
    }
}
