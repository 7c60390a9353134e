import GlassesDomain

/// What the assistant says of a picture that it cannot see: what was measured, and that it recognises nothing. It invents nothing.
enum PictureWords {
    /// The answer to whoever shows a picture or asks about one.
    static func answer(_ measure: PictureMeasure, of picture: BrainPicture) -> String {
        let age = words(for: picture.age)
        switch measure {
        case .measured(let width, let height, let brightness):
            let light = brightness.map { ", \(words(forBrightness: $0))" } ?? ""
            return "I can't recognise what is in a picture. This one is \(width) by \(height) pixels\(light), "
                + "and it came \(age)."
        case .damaged: return "The picture that came \(age) is damaged, so I can't open it."
        case .unmeasured: return "I can't recognise what is in a picture. The last one came \(age)."
        }
    }

    /// What a model is told that cannot see.
    static func note(_ measure: PictureMeasure, of picture: BrainPicture) -> String {
        let age = words(for: picture.age)
        switch measure {
        case .measured(let width, let height, let brightness):
            let light = brightness.map { ", \(words(forBrightness: $0))" } ?? ""
            return "You cannot see what is in it. It is \(width) by \(height) pixels\(light), and it came \(age)."
        case .damaged: return "It came \(age) and is damaged."
        case .unmeasured: return "You cannot see what is in it. It came \(age)."
        }
    }

    /// The answer to whoever asks about a picture when there is none.
    static let none = "I have no picture to look at."

    static func words(forBrightness brightness: Double) -> String {
        switch brightness {
        case ..<0.1: "almost black"
        case ..<0.3: "dark"
        case ..<0.6: "of medium brightness"
        case ..<0.9: "bright"
        default: "almost white"
        }
    }

    /// Below this, an age is no news: it took as long to be asked for.
    private static let justNow = 10.0

    static func words(for age: Duration) -> String {
        let seconds = age.seconds
        guard seconds >= justNow else { return "just now" }
        if seconds < 60 { return "\(Int(seconds)) seconds ago" }
        let (number, unit) = seconds < 3_600 ? (Int(seconds / 60), "minute") : (Int(seconds / 3_600), "hour")
        return "\(number) \(unit)\(number == 1 ? "" : "s") ago"
    }
}
