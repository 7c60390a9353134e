/// What a text parameter names, which decides the words that introduce it in a sentence.
enum TextRole {
    case time, date, moment, duration, person, place, origin, language, creator, label, list, topic, expression, content

    /// The role by the words of the parameter's name and, where these say nothing, of its description.
    init(_ name: [String], _ description: [String]) {
        let names = Set(name)
        let all = names.union(description)
        let isVague = !names.isDisjoint(with: [
            "to", "from", "target", "source", "name", "who", "at", "in", "for", "on", "by", "start", "end",
        ])
        if let role = Self.byName(names, all) {
            self = role
        } else if isVague || name.count == 1, let role = Self.byDescription(description, names) {
            self = role
        } else {
            self = .content
        }
    }

    private static func byName(_ names: Set<String>, _ all: Set<String>) -> TextRole? {
        let has = { (words: Set<String>) in !names.isDisjoint(with: words) }
        if has(["datetime", "when", "due", "deadline"]) { return .moment }
        if has(["duration", "length"]) { return .duration }
        if has(["time", "clock"]), all.contains("when") { return .moment }
        if has(["time", "clock"]) { return all.isDisjoint(with: ["date", "day"]) ? .time : .moment }
        if has(["date", "day"]) { return all.contains("time") && !names.contains("day") ? .moment : .date }
        if has([
            "contact", "recipient", "person", "callee", "friend", "sender", "attendee", "participant", "assignee",
            "recipients", "attendees", "phone", "receiver", "guest", "people",
        ]) {
            return .person
        }
        if has(["language", "lang", "locale"]) { return .language }
        if has(["origin", "departure", "start"]),
            has(["place", "location", "station", "address", "city", "origin", "departure", "airport"])
        {
            return .origin
        }
        if has([
            "location", "city", "place", "destination", "address", "where", "town", "country", "venue", "region",
            "room", "area", "station", "stop", "airport", "zone", "restaurant", "store", "shop",
        ]) {
            return .place
        }
        if has(["artist", "author", "singer", "band", "composer", "director"]) { return .creator }
        if has(["list", "folder", "playlist", "notebook", "album", "calendar", "project", "collection"]) {
            return .list
        }
        if has(["expression", "formula", "equation", "calculation", "sum"]) { return .expression }
        if has(["subject", "topic", "about"]) { return .topic }
        if has(["label", "title", "tag", "heading", "nickname", "caption"]) { return .label }
        return nil
    }

    private static func byDescription(_ description: [String], _ names: Set<String>) -> TextRole? {
        let first = description.prefix(12)
        for word in first {
            switch word {
            case "contact", "recipient", "person", "recipient's", "someone", "who", "whom", "friend": return .person
            case "language": return .language
            case "city", "place", "location", "destination", "address", "town", "country", "airport", "station":
                return names.contains("from") || names.contains("source") ? .origin : .place
            case "artist", "author", "singer": return .creator
            default: continue
            }
        }
        return nil
    }

    /// The words that introduce a value of this role.
    var markers: Set<String> {
        switch self {
        case .time: ["at", "for", "by", "around", "to"]
        case .date: ["on", "for", "by", "this"]
        case .moment: ["at", "on", "for", "by", "in", "to"]
        case .duration: ["for", "of", "lasting", "to"]
        case .person: ["to", "with", "for", "from", "at"]
        case .place: ["to", "in", "at", "for", "near", "around", "of", "towards", "into", "on", "from"]
        case .origin: ["from", "at"]
        case .language: ["in", "to", "into"]
        case .creator: ["by", "from"]
        case .label:
            ["called", "named", "titled", "labeled", "labelled", "for", "as", "saying", "about", "title", "label"]
        case .list: ["to", "on", "in", "from", "into", "onto", "under", "called"]
        case .expression: ["of"]
        case .topic: ["about", "regarding", "on", "subject", "concerning"]
        case .content:
            [
                "that", "to", "saying", "says", "for", "about", "of", "as", "called", "named", "say", "reading",
                "titled",
            ]
        }
    }
}
