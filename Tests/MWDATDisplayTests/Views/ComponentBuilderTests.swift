import Foundation
import Testing

@testable import MWDATDisplay

@Suite struct ComponentBuilderTests {
    private func texts(_ box: FlexBox) -> [String] { texts(box.element) }

    private func texts(_ element: ViewElement) -> [String] {
        element.children.map { child in
            switch child.node.content {
            case .text(let text): text.text
            case .button(let button): button.text
            default: "?"
            }
        }
    }

    @Test(arguments: [(true, ["first", "both", "yes", "a", "b", "last"]), (false, ["first", "no", "a", "b", "last"])])
    func aBoxHoldsWhatConditionsAndLoopsChoose(_ isOn: Bool, _ expected: [String]) {
        let box = FlexBox {
            Text("first")
            if isOn { Text("both") }
            if isOn {
                Text("yes")
            } else {
                Text("no")
            }
            for letter in ["a", "b"] { Text(letter) }
            Text("last")
        }
        #expect(texts(box) == expected)
    }

    @Test func aSwitchChoosesAmongComponentsOfDifferentTypes() {
        func box(_ number: Int) -> FlexBox {
            FlexBox {
                switch number {
                case 0: Text("text")
                case 1: Button(label: "button") {}
                default: FlexBox {}
                }
            }
        }
        #expect((0...2).map { texts(box($0)) } == [["text"], ["button"], ["?"]])
    }

    @Test func aComponentOfAnUnknownTypeIsTaken() {
        let parts: [any ViewComponent] = [Text("a"), Button(label: "b") {}.padding(2)]
        #expect(texts(FlexBox { for part in parts { part.padding(1) } }) == ["a", "b"])
    }

    @Test(arguments: [(true, ["a", "b", "d", "e", "f"]), (false, ["a", "c", "e", "f"])])
    func aGroupHoldsTheButtonsThatConditionsAndLoopsChoose(_ isOn: Bool, _ expected: [String]) {
        let group = ButtonGroup {
            Button(label: "a") {}
            if isOn { Button(label: "b") {} } else { Button(label: "c") {} }
            if isOn { Button(label: "d") {} }
            for name in ["e", "f"] { Button(label: name) {} }
        }
        #expect(texts(group.element) == expected)
    }

    @Test func aModifierChangesACopy() {
        let plain = FlexBox {}
        let card = plain.background(.card).padding(3)
        #expect(plain.element.node != card.element.node)
        #expect(plain.element.node.layout.padding == EdgeInsets(all: 0))
    }
}
