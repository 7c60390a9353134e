/// The pictures that the glasses can draw by name; the raw value is the name on the link, in snake case.
public enum IconName: String, CaseIterable, Encodable, Sendable {
    case airplane
    case arrowDownShallowU = "arrow_down_shallow_u"
    case arrowLeft = "arrow_left"
    case arrowRight = "arrow_right"
    case arrowULeft = "arrow_u_left"
    case arrowUpShallowU = "arrow_up_shallow_u"
    case avatar
    case avatarOff = "avatar_off"
    case bedSide = "bed_side"
    case bell
    case bellDiagonalRightDot = "bell_diagonal_right_dot"
    case bellOff = "bell_off"
    case bikeShare = "bike_share"
    case bug
    case bullhorn
    case bus
    case calendar
    case campfire
    case carFrontView = "car_front_view"
    case caretDown = "caret_down"
    case caretLeft = "caret_left"
    case caretRight = "caret_right"
    case caretUp = "caret_up"
    case cart
    case checkmark
    case checkmarkCircle = "checkmark_circle"
    case circle8RaysLarge = "circle_8_rays_large"
    case circleHandle = "circle_handle"
    case clock
    case cloud
    case cloudCrescentMoon = "cloud_crescent_moon"
    case cloudDotFourRays = "cloud_dot_four_rays"
    case cloudFiveDashes = "cloud_five_dashes"
    case cloudHookSwirl = "cloud_hook_swirl"
    case cloudLightning = "cloud_lightning"
    case cocktailGlass = "cocktail_glass"
    case code
    case coffeeCup = "coffee_cup"
    case compassNorthUpRed = "compass_north_up_red"
    case containerWithLid = "container_with_lid"
    case crossBriefcase = "cross_briefcase"
    case dropper
    case envelopeOpen = "envelope_open"
    case exclamationCircle = "exclamation_circle"
    case exclamationTriangle = "exclamation_triangle"
    case eye
    case forkKnife = "fork_knife"
    case fourArcsUpFilled = "four_arcs_up_filled"
    case fourArcsUpGrayscale = "four_arcs_up_grayscale"
    case fourCornerFrame = "four_corner_frame"
    case gear
    case globeWesternHemisphere = "globe_western_hemisphere"
    case graduationCap = "graduation_cap"
    case hashtag
    case headphones
    case heart
    case house
    case iCircle = "i_circle"
    case lightBulb = "light_bulb"
    case magicWand = "magic_wand"
    case metaAi = "meta_ai"
    case mountainSquare = "mountain_square"
    case mountainSquareStacked = "mountain_square_stacked"
    case museumBuilding = "museum_building"
    case musicNote = "music_note"
    case nineSquaresGrid = "nine_squares_grid"
    case padlockClosed = "padlock_closed"
    case padlockOpen = "padlock_open"
    case palette
    case paperAirplane = "paper_airplane"
    case pencil
    case pencilSquare = "pencil_square"
    case person
    case personCircle = "person_circle"
    case phone
    case phoneHandsetArrowDownLeft = "phone_handset_arrow_down_left"
    case phoneHandsetArrowUpRight = "phone_handset_arrow_up_right"
    case phoneSlash = "phone_slash"
    case pizzaSlice = "pizza_slice"
    case plus
    case plusCircle = "plus_circle"
    case shoppingBag = "shopping_bag"
    case slidersHorizontal = "sliders_horizontal"
    case smartGlasses = "smart_glasses"
    case smileyCircle = "smiley_circle"
    case speakerOff = "speaker_off"
    case speakerWithOneArc = "speaker_with_one_arc"
    case speakerWithThreeArcs = "speaker_with_three_arcs"
    case speakerWithTwoArcs = "speaker_with_two_arcs"
    case speechBubble = "speech_bubble"
    case speechBubbleOff = "speech_bubble_off"
    case stadium
    case star
    case starCircleTriangleAi = "star_circle_triangle_ai"
    case taxi
    case threeDotSpeechBubble = "three_dot_speech_bubble"
    case threeDotsHorizontal = "three_dots_horizontal"
    case threeHorizontalLines = "three_horizontal_lines"
    case threeHorizontalLinesStackedDescending = "three_horizontal_lines_stacked_descending"
    case threePeopleOverlapping = "three_people_overlapping"
    case train
    case tree
    case triangleLeftVerticalLine = "triangle_left_vertical_line"
    case triangleRight = "triangle_right"
    case triangleRightCircle = "triangle_right_circle"
    case triangleRightVerticalLine = "triangle_right_vertical_line"
    case twoArrowsClockwise = "two_arrows_clockwise"
    case twoLinesParallel = "two_lines_parallel"
    case twoSquaresStackedRightDown = "two_squares_stacked_right_down"
    case twoTrianglesLeft = "two_triangles_left"
    case twoTrianglesRight = "two_triangles_right"
    case videoCamera = "video_camera"
    case videoCameraOff = "video_camera_off"
    case wristband
    case wristbandSlash = "wristband_slash"
    case x
}
