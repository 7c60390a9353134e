import Foundation
import Testing

@testable import MWDATDisplay

@Suite struct DisplayTreeTests {
    private func json(_ view: some DisplayableView) throws -> String {
        String(decoding: try ViewEncoder.encode(view.element).tree, as: UTF8.self)
    }

    @Test func aViewBecomesTheDocumentedTree() throws {
        let view = FlexBox(direction: .row, spacing: 8, alignment: .center, crossAlignment: .end, wrap: true) {
            Text("Hello", style: .heading, color: .secondary)
            Icon(name: .arrowLeft, style: .outline)
            Image(uri: "https://example.com/a.png", sizePreset: .icon, cornerRadius: .small)
            ButtonGroup(alignment: .stretch) {
                Button(label: "Go", style: .outline, iconName: .checkmark) {}.actionRole(.primary)
            }
        }
        .background(.card)
        #expect(
            try json(view) == """
                {"alignment":"center","background":"card","children":[\
                {"color":"secondary","kind":"text","style":"heading","text":"Hello"},\
                {"kind":"icon","name":"arrow_left","style":"outline"},\
                {"cornerRadius":"small","kind":"image","size":"icon","uri":"https://example.com/a.png"},\
                {"alignment":"stretch","children":[\
                {"icon":"checkmark","id":"e1","kind":"button","role":"primary","style":"outline","text":"Go"}],\
                "kind":"buttonGroup"}],"crossAlignment":"end","direction":"row","kind":"flexBox",\
                "padding":{"bottom":0,"leading":0,"top":0,"trailing":0},\
                "spacing":8,"version":1,"wrap":true}
                """)
    }

    @Test func aVideoCarriesTheLimitsThatOnlyItsPlayerCanHold() throws {
        #expect(
            try json(VideoPlayer(provider: .uri("https://example.com/a.mp4"))) == """
                {"codec":"mp4","kind":"video","maximumPixels":70000,"maximumSide":400,\
                "uri":"https://example.com/a.mp4","version":1}
                """)
    }

    @Test func everyModifierOfAComponentIsInItsElement() throws {
        let view = FlexBox {
            Text("a").padding(4).flexGrow(1).flexShrink(0).alignSelf(.stretch).onTap {}
        }
        let tree = try DisplayTree(json: ViewEncoder.encode(view.element).tree)
        let text = try #require(tree.root.children.first)
        #expect(text.id == "e1")
        #expect(text.layout.padding == EdgeInsets(all: 4))
        #expect(text.layout.flexGrow == 1)
        #expect(text.layout.flexShrink == 0)
        #expect(text.layout.alignSelf == .stretch)
    }

    @Test func aTreeIsReadAsItWasWritten() throws {
        let view = FlexBox(padding: EdgeInsets(top: 1, trailing: 2)) {
            FlexBox(direction: .columnReverse) { Button(label: "a", style: .secondary) {} }
            ButtonGroup { Button(label: "b") {} }
            Icon(name: .x)
            Image(uri: "http://example.com/b.jpg").onTap {}
        }
        let bytes = try ViewEncoder.encode(view.element).tree
        let tree = try DisplayTree(json: bytes)
        #expect(try tree.json() == bytes)
        #expect(tree.root.children.count == 4)
    }

    @Test(
        "A tree that this toolkit does not know is refused",
        arguments: [
            #"{"version":2,"kind":"icon","name":"x","style":"filled"}"#,
            #"{"version":1,"kind":"lamp"}"#,
            #"{"version":1,"kind":"icon","name":"lamp","style":"filled"}"#,
            #"{"version":1}"#, "[]", "",
        ])
    func unknown(_ json: String) {
        #expect(throws: DecodingError.self) { try DisplayTree(json: Data(json.utf8)) }
    }

    @Test func membersThatAReaderDoesNotKnowAreIgnored() throws {
        let json = #"{"version":1,"later":1,"kind":"icon","name":"x","style":"filled","glow":true}"#
        #expect(
            try DisplayTree(json: Data(json.utf8)).root == DisplayNode(.icon(DisplayIcon(name: .x, style: .filled))))
    }
}
