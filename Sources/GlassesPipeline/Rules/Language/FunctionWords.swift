/// Words that carry grammar and no content.
enum FunctionWords {
    static let determiners = words(
        "the a an this that these those my your his her our their its some any another each every all both")
    static let possessives = words("my your his her our their its")
    static let pronouns = words(
        "i me we us you he him she they them it myself yourself someone somebody everyone everybody")
    static let prepositions = words(
        "to in at on for from by with of about into onto as near around under over after before during "
            + "until till between "
            + "within through regarding towards toward off up down out")
    static let auxiliaries = words(
        "is are was were am be been being do does did have has had can could will would shall should may might must")
    static let questionWords = words("what when where who whom whose which why how")
    static let conjunctions = words("and or but then so because if when while unless than plus also")
    /// Content-free adverbs and adjectives that may stand anywhere in a command.
    static let fillers = words(
        "please kindly just now right quickly quick really very maybe actually simply again immediately "
            + "asap thanks thank "
            + "ok okay hey uh um er ah oh well like new nice good little bit here there currently current "
            + "there's one ones thing "
            + "stuff ahead aloud doing saying says way something somehow too first own lot left many much exactly "
            + "about today's gonna going got want need "
            + "let there away soon straight real kind sort everything anything currently cool great")
    /// Stand for something that was not named, so they fill no parameter.
    static let placeholders = words(
        "something anything someone somebody somewhere anywhere anyone it this that these those them "
            + "him her stuff things thing "
            + "one ones everything some any few several me us a an the")

    static let all: Set<String> = determiners.union(pronouns).union(prepositions).union(auxiliaries).union(
        questionWords
    )
    .union(conjunctions).union(fillers).union(words("not no yes"))

    /// Whether a token carries no content of its own.
    static func contains(_ token: Token) -> Bool { all.contains(token.lower) }

    static func words(_ text: String) -> Set<String> { Set(text.split(separator: " ").map(String.init)) }
}
