import CGlassesPlugin
import GlassesPluginKit
import Testing

@Suite("The values of the plugin kit")
struct PluginValuesTests {
    @Test("Settings give what is there, nil for what is not, and refuse the wrong kind")
    func readsSettings() throws {
        let settings = try PluginSettings(
            text: #"{"name":"x","count":3,"share":0.5,"on":true,"nothing":null,"more":{"a":[1]}}"#)
        #expect(try settings.string("name") == "x")
        #expect(try settings.int("count") == 3)
        #expect(try settings.double("share") == 0.5)
        #expect(try settings.bool("on") == true)
        #expect(try settings.string("nothing") == nil)
        #expect(try settings.int("absent") == nil)
        #expect(settings.members["more"] == ["a": [1]])
        #expect(throws: PluginFailure.self) { try settings.int("name") }
        #expect(throws: PluginFailure.self) { try settings.int("share") }
        #expect(throws: PluginFailure.self) { try settings.bool("count") }
        #expect(throws: PluginFailure.self) { try settings.string("on") }
    }

    @Test(
        "Empty text counts as no settings; anything but an object is refused",
        arguments: ["[]", "{", "1", "null", "{}x"])
    func refusesOtherTexts(_ text: String) throws {
        #expect(try PluginSettings(text: "").members.isEmpty)
        let error = #expect(throws: PluginFailure.self) { try PluginSettings(text: text) }
        #expect(error?.result == glasses_result(GLASSES_ERROR_INVALID))
    }

    @Test(
        "A value becomes compact text and comes back from it",
        arguments: [
            (["b": [1, 2.5, nil, true], "a": "q\"\\\n\u{1}é"], #"{"a":"q\"\\\n\u0001é","b":[1,2.5,null,true]}"#),
            (48_000, "48000"), (.number(.infinity), "null"), (-0.25, "-0.25"),
        ] as [(PluginJSON, String)])
    func writesText(_ value: PluginJSON, _ text: String) throws {
        #expect(value.text == text)
        #expect(try PluginJSON(text: text) == (value == .number(.infinity) ? .null : value))
    }

    @Test("A failure is never a success", arguments: [0, 1, Int.max, Int.min, -1])
    func isNegative(_ result: Int) {
        #expect(PluginFailure(result, code: "c", message: "m").result < 0)
    }

    @Test("Options out of range are clamped")
    func clampsOptions() {
        #expect(SpeechOptions(rate: 9, pitch: -9) == SpeechOptions(rate: 2, pitch: -1))
        #expect(SpeechOptions(rate: .nan, pitch: .infinity) == SpeechOptions())
    }
}
