import Testing

@testable import MWDATDisplay

@Suite struct IconNameTests {
    /// The documented list, name by name.
    private static let documented = """
        airplane arrowDownShallowU arrowLeft arrowRight arrowULeft arrowUpShallowU avatar avatarOff bedSide bell
        bellDiagonalRightDot bellOff bikeShare bug bullhorn bus calendar campfire carFrontView caretDown caretLeft
        caretRight caretUp cart checkmark checkmarkCircle circle8RaysLarge circleHandle clock cloud
        cloudCrescentMoon cloudDotFourRays cloudFiveDashes cloudHookSwirl cloudLightning cocktailGlass code
        coffeeCup compassNorthUpRed containerWithLid crossBriefcase dropper envelopeOpen exclamationCircle
        exclamationTriangle eye forkKnife fourArcsUpFilled fourArcsUpGrayscale fourCornerFrame gear
        globeWesternHemisphere graduationCap hashtag headphones heart house iCircle lightBulb magicWand metaAi
        mountainSquare mountainSquareStacked museumBuilding musicNote nineSquaresGrid padlockClosed padlockOpen
        palette paperAirplane pencil pencilSquare person personCircle phone phoneHandsetArrowDownLeft
        phoneHandsetArrowUpRight phoneSlash pizzaSlice plus plusCircle shoppingBag slidersHorizontal smartGlasses
        smileyCircle speakerOff speakerWithOneArc speakerWithThreeArcs speakerWithTwoArcs speechBubble
        speechBubbleOff stadium star starCircleTriangleAi taxi threeDotSpeechBubble threeDotsHorizontal
        threeHorizontalLines threeHorizontalLinesStackedDescending threePeopleOverlapping train tree
        triangleLeftVerticalLine triangleRight triangleRightCircle triangleRightVerticalLine twoArrowsClockwise
        twoLinesParallel twoSquaresStackedRightDown twoTrianglesLeft twoTrianglesRight videoCamera videoCameraOff
        wristband wristbandSlash x
        """.split { $0 == " " || $0 == "\n" }.map(String.init)

    @Test func theIconsAreThoseOfTheDocumentedListInItsOrder() {
        #expect(IconName.allCases.map { "\($0)" } == Self.documented)
        #expect(Self.documented.count == 116)
    }

    /// Letter by letter, unlike the rule by which the list was written.
    @Test func aRawValueIsTheNameInSnakeCase() {
        for icon in IconName.allCases {
            var snake = ""
            for letter in "\(icon)" {
                if letter.isUppercase || (letter.isNumber && !snake.isEmpty) { snake += "_" }
                snake += letter.lowercased()
            }
            #expect(icon.rawValue == snake)
        }
    }

    @Test(
        "Names with single letters and digits are split as documented",
        arguments: [
            (IconName.arrowLeft, "arrow_left"), (.arrowULeft, "arrow_u_left"),
            (.circle8RaysLarge, "circle_8_rays_large"),
            (.arrowDownShallowU, "arrow_down_shallow_u"), (.iCircle, "i_circle"), (.metaAi, "meta_ai"), (.x, "x"),
        ])
    func split(_ icon: IconName, _ raw: String) {
        #expect(icon.rawValue == raw)
        #expect(IconName(rawValue: raw) == icon)
    }
}
