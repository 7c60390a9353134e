import Foundation
import Synchronization
import Testing

@testable import MWDATDisplay

@Suite struct ViewEncoderTests {
    /// What a view breaks.
    private func refusal(_ view: some DisplayableView) -> DisplayError? {
        do {
            _ = try ViewEncoder.encode(view.element)
            return nil
        } catch {
            return error
        }
    }

    private func refusal(@ComponentBuilder _ content: () -> [any ViewComponent]) -> DisplayError? {
        refusal(FlexBox(content: content))
    }

    @Test func elementsThatCanBeChosenAreNumberedInReadingOrder() throws {
        let taps = Mutex<[String]>([])
        let view = FlexBox {
            Text("plain")
            Text("one").onTap { taps.withLock { $0.append("one") } }
            FlexBox { Button(label: "three") { taps.withLock { $0.append("three") } } }
                .onTap { taps.withLock { $0.append("two") } }
        }
        let encoded = try ViewEncoder.encode(view.element)
        for id in ["e1", "e2", "e3"] { encoded.handlers.taps[id]?() }
        #expect(taps.withLock { $0 } == ["one", "two", "three"])
        #expect(encoded.handlers.taps.count == 3)
        #expect(!encoded.isVideo)
    }

    @Test func theLastOfTwoTapHandlersIsTheOneThatCounts() throws {
        let taps = Mutex<[Int]>([])
        let button = Button(label: "a") { taps.withLock { $0.append(1) } }.onTap { taps.withLock { $0.append(2) } }
        try ViewEncoder.encode(FlexBox { button }.element).handlers.taps["e1"]?()
        #expect(taps.withLock { $0 } == [2])
    }

    @Test(
        "A video whose address the glasses cannot load is refused as invalid",
        arguments: [
            "", " ", "a.mp4", "file:///a.mp4", "ftp://example.com/a.mp4", "https://", "http:a.mp4",
            "data:video/mp4;base64,AA",
            "https://example.com/" + String(repeating: "a", count: DisplayLimits.addressBytes),
        ])
    func videoAddress(_ address: String) {
        #expect(refusal(VideoPlayer(provider: .uri(address))) == .invalidVideoURL)
    }

    @Test(arguments: ["http://example.com/a.mp4", "HTTPS://example.com/a.mp4", "https://10.0.0.1:8080/v?id=1"])
    func aVideoAddressOfTheWebIsTaken(_ address: String) throws {
        let encoded = try ViewEncoder.encode(VideoPlayer(provider: .uri(address)).element)
        #expect(encoded.isVideo)
    }

    @Test(
        "An image that the glasses cannot load is refused with what to do instead",
        arguments: ["", "photo.jpg", "file:///tmp/photo.jpg"])
    func imageAddress(_ address: String) throws {
        guard case .displayError(let message) = refusal({ Image(uri: address) }) else {
            Issue.record("the image must be refused")
            return
        }
        #expect(message.contains("http or https"))
        #expect(message.contains("UIImage"))
    }

    @Test(
        "A length out of range is refused with its name",
        arguments: [Double.nan, .infinity, -1, DisplayLimits.distance + 1])
    func lengths(_ value: Double) {
        let views: [(String, FlexBox)] = [
            ("spacing", FlexBox(spacing: value) {}), ("padding", FlexBox {}.padding(value)),
            ("padding", FlexBox(padding: EdgeInsets(trailing: value)) {}), ("flexGrow", FlexBox {}.flexGrow(value)),
            ("flexShrink", FlexBox {}.flexShrink(value)),
        ]
        for (name, view) in views {
            guard case .displayError(let message) = refusal(view) else {
                Issue.record("\(name) of \(value) must be refused")
                continue
            }
            #expect(message.hasPrefix("\(name) must be 0 to 10000, and is "))
        }
    }

    @Test func asManyElementsAsAllowedAreTakenAndOneMoreIsNot() {
        let rows = DisplayLimits.elements - 1
        #expect(refusal { for _ in 0..<rows { Text("a") } } == nil)
        guard case .displayError(let message) = refusal({ for _ in 0...rows { Text("a") } }) else {
            Issue.record("one element more must be refused")
            return
        }
        #expect(message.contains("256 elements"))
    }

    @Test func containersMayBeAsDeepAsAllowedAndNoDeeper() {
        func nest(_ depth: Int) -> FlexBox { depth == 1 ? FlexBox {} : FlexBox { nest(depth - 1) } }
        #expect(refusal(nest(DisplayLimits.depth)) == nil)
        #expect(refusal(nest(DisplayLimits.depth + 1)) != nil)
    }

    @Test func aTextIsMeasuredInBytes() {
        let longest = String(repeating: "é", count: DisplayLimits.textBytes / 2)
        #expect(refusal { Text(longest) } == nil)
        #expect(refusal { Text(longest + "a") } != nil)
        #expect(refusal { Button(label: longest + "a") {} } != nil)
    }

    @Test func aViewOfTooManyBytesIsRefused() {
        let text = String(repeating: "\u{1}", count: DisplayLimits.textBytes)
        guard case .displayError(let message) = refusal({ for _ in 0..<200 { Text(text) } }) else {
            Issue.record("the view must be refused")
            return
        }
        #expect(message.hasSuffix("the display at most 1048576. Show smaller pictures."))
    }
}
