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
        #expect(
            try json(view).contains(
                """
                {"alignSelf":"stretch","color":"primary","flexGrow":1,"flexShrink":0,"id":"e1","kind":"text",\
                "padding":{"bottom":4,"leading":4,"top":4,"trailing":4},"style":"body","text":"a"}
                """))
    }

    @Test func equalViewsHaveEqualBytes() throws {
        func view() -> FlexBox {
            FlexBox(direction: .columnReverse, padding: EdgeInsets(top: 1, trailing: 2)) {
                FlexBox { Button(label: "a", style: .secondary) {} }
                Image(uri: "http://example.com/b.jpg").onTap {}
            }
        }
        #expect(try json(view()) == json(view()))
        #expect(try json(view()) != json(view().background(.card)))
    }
}
