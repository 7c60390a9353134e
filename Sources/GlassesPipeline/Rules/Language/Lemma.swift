/// Brings word forms together: irregular forms by table, the others by ``PorterStemmer``.
enum Lemma {
    /// The stem of a word's base form.
    static func stem(_ word: String) -> String {
        if let base = irregularBase[word] { return PorterStemmer.stem(base) }
        return PorterStemmer.stem(word.hasSuffix("'s") ? String(word.dropLast(2)) : word)
    }

    /// Whether a form can only be past tense or a participle: "took", "recorded", but not "set" or "bed".
    static func isPast(_ word: String) -> Bool {
        if pastForms.contains(word) { return true }
        return word.count > 4 && word.hasSuffix("ed")
            && !["speed", "embed", "hundred", "indeed", "exceed", "proceed", "succeed", "sacred", "naked"].contains(
                word)
    }

    private static let irregular: [String] = [
        "take took taken taking", "send sent sending", "make made making", "begin began begun",
        "get got gotten getting",
        "give gave given giving", "write wrote written writing", "find found", "tell told", "say said", "show shown",
        "buy bought", "bring brought", "go went gone", "speak spoke spoken", "ring rang rung", "run ran running",
        "keep kept", "leave left", "remind reminded", "shoot shot shooting", "break broke broken", "do did done",
        "see saw seen", "hear heard", "drive drove driven", "sing sang sung", "throw threw thrown",
        "forget forgot forgotten",
        "think thought", "hold held", "pay paid", "stop stopped stopping", "set setting", "put putting", "turn turned",
        "choose chose chosen", "sell sold", "build built", "draw drew drawn", "wake woke woken waking",
        "grow grew grown",
        "know knew known", "feel felt", "lose lost", "win won", "eat ate eaten", "drink drank drunk", "sleep slept",
        "teach taught", "catch caught", "meet met", "stand stood", "steal stole stolen", "hide hid hidden", "die dying",
        "child children", "person people", "foot feet", "dice die", "mouse mice",
        "photo photograph photos photographs pics pic",
        "have has had", "be is are was were been am being",
    ]
    private static let irregularBase: [String: String] = {
        var table: [String: String] = [:]
        for line in irregular {
            let forms = line.split(separator: " ").map(String.init)
            for form in forms.dropFirst() { table[form] = forms[0] }
        }
        table["left"] = nil
        table["shot"] = nil
        table["dying"] = nil
        return table
    }()
    private static let pastForms: Set<String> = [
        "took", "taken", "sent", "made", "began", "begun", "got", "gave", "given", "wrote", "written", "told", "said",
        "shown", "bought", "brought", "went", "gone", "spoke", "rang", "ran", "kept", "broke", "broken", "did", "done",
        "saw", "seen", "heard", "drove", "sang", "threw", "thrown", "forgot", "thought", "held", "paid", "woke", "knew",
        "felt", "lost", "won", "ate", "drank", "slept", "taught", "caught", "met", "stood", "stole", "hid", "was",
        "were",
        "had", "sold", "built", "drew", "grew", "found", "came", "became", "fell", "cost", "died", "stopped",
    ]
}
