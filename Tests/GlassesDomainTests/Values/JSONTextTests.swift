import Foundation
import Testing

@testable import GlassesDomain

@Suite struct JSONTextTests {
    private static let valid: [(String, JSONValue)] = [
        ("null", JSONValue.null), ("true", true), (" false ", false), ("0", 0), ("-12", -12), ("1.5", 1.5),
        ("-0.25e2", -25.0),
        ("1E3", 1000.0), ("9223372036854775807", .int(.max)),
        ("9223372036854775808", .double(9_223_372_036_854_775_808)),
        (#""""#, ""), (#""a\"b\\c\/d\b\f\n\r\t""#, "a\"b\\c/d\u{8}\u{C}\n\r\t"), (#""\u00e9\u20ac""#, "é€"),
        (#""\ud83d\ude00""#, "😀"), (#""\ud83d""#, "\u{FFFD}"), (#""\ud83dx""#, "\u{FFFD}x"), ("[]", []),
        ("[1,[2,{}]]", [1, [2, [:]]]),
        (#"{"a":1,"a":2}"#, ["a": 2]), (#"{ "k" : [ null , "v" ] }"#, ["k": [nil, "v"]]),
    ]

    @Test(arguments: valid)
    func validTextsAreReadAsTheyAreMeant(text: String, value: JSONValue) throws {
        #expect(try JSONValue(jsonText: text) == value)
    }

    @Test(arguments: [
        "", " ", "nul", "tru", "01", "-", "1.", "1e", "+1", ".5", "\"", "\"\\x\"", "\"\\u12\"", "\"a\nb\"", "[1,]",
        "[1 2]", "{",
        "{\"a\"}", "{\"a\":}", "{a:1}", "{\"a\":1,}", "[1]]", "1 2", "NaN", "1e999", "\u{FEFF}1",
    ])
    func invalidTextsAreRefusedWithoutQuotingThem(text: String) {
        #expect(throws: JSONTextError.self) { try JSONValue(jsonText: text) }
    }

    @Test func bytesThatAreNotUTF8AreRefused() {
        #expect(throws: JSONTextError.self) { try JSONValue(jsonText: [0x22, 0xFF, 0x22]) }
        #expect(throws: JSONTextError.self) { try JSONValue(jsonText: [0x22, 0xC3, 0x22]) }
    }

    @Test func nestingIsReadToItsLimitAndRefusedBeyond() throws {
        let deepest = JSONTextParser.maximumDepth
        let fits = String(repeating: "[", count: deepest) + String(repeating: "]", count: deepest)
        #expect(throws: Never.self) { try JSONValue(jsonText: fits) }
        let endless = String(repeating: "[", count: 100_000)
        #expect(throws: JSONTextError.self) { try JSONValue(jsonText: endless) }
    }

    @Test func everyPrefixOfAValueIsRefusedOrReadButNeverTraps() throws {
        let bytes = Array(#"{"a":[1,-2.5e1,"\u00e9x",true,null],"b":{"c":"d\n"}}"#.utf8)
        for end in 0..<bytes.count {
            #expect(throws: JSONTextError.self) { try JSONValue(jsonText: bytes[..<end]) }
        }
    }

    @Test func equalValuesGiveEqualTextWhichReadsBackTheSame() throws {
        let value: JSONValue = ["b": [1, 2.5, nil, true], "a": ["x": "é\n\"\\\u{1}"], "c": [:], "d": []]
        let text = value.jsonText
        #expect(text == #"{"a":{"x":"é\n\"\\\u0001"},"b":[1,2.5,null,true],"c":{},"d":[]}"#)
        #expect(try JSONValue(jsonText: text) == value)
        #expect(try JSONDecoder().decode(JSONValue.self, from: Data(text.utf8)) == value)
        #expect(try JSONDecoder().decode(JSONValue.self, from: JSONEncoder().encode(value)) == value)
    }

    @Test func numbersThatAreNotFiniteBecomeNull() {
        #expect(JSONValue.array([.double(.nan), .double(.infinity)]).jsonText == "[null,null]")
    }

    @Test func valuesAreReadByTheirKindOnly() {
        #expect(JSONValue.double(3).intValue == 3)
        #expect(JSONValue.double(3.5).intValue == nil)
        #expect(JSONValue.double(1e300).intValue == nil)
        #expect(JSONValue.int(3).doubleValue == 3)
        #expect(JSONValue.string("3").intValue == nil)
        #expect(JSONValue.object(["a": 1])["a"] == 1)
        #expect(JSONValue.array([1])["a"] == nil)
    }

    @Test func aDecodingErrorNamesTheField() throws {
        struct Arguments: Codable, Sendable { var minutes: Int }
        #expect(try JSONValue.object(["minutes": 5]).decode(as: Arguments.self).minutes == 5)
        #expect(throws: DecodingError.self) { try JSONValue.object(["minutes": "five"]).decode(as: Arguments.self) }
        #expect(throws: DecodingError.self) { try JSONValue.object([:]).decode(as: Arguments.self) }
    }
}
