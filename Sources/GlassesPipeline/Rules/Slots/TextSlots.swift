import GlassesDomain

/// Fills free text: what follows the words that named the tool, as it was said.
struct TextSlots {
    let profile: ToolProfile
    let texts: [ParameterSpec]
    let head: Int?

    init(profile: ToolProfile, head: Int?) {
        self.profile = profile
        self.head = head
        texts = profile.parameters.filter {
            switch $0.kind {
            case .text, .list(.text): true
            case .integer, .number, .boolean, .choice, .list, .other: false
            }
        }
    }

    /// Fills what is still open from the tokens behind `triggerEnd`, and from the words between verb and noun.
    func fill(on board: inout SlotBoard, triggerEnd: Int, gap: Range<Int>?) {
        if let gap { fillGap(gap, on: &board) }
        let open = open(board)
        guard !open.isEmpty, var region = region(board, from: triggerEnd) else { return }
        trimTail(&region, board)
        guard !region.isEmpty else { return }
        for piece in pieces(region, board, open) { assign(piece, on: &board) }
    }

    func open(_ board: SlotBoard) -> [ParameterSpec] {
        texts.filter { board.arguments[$0.name] == nil && isFree($0) }
    }

    /// A time, date or language that was not recognised as one is missing, whatever else was said.
    func isFree(_ parameter: ParameterSpec) -> Bool {
        switch parameter.role {
        case .time, .date, .moment, .duration, .language: false
        case .person, .place, .origin, .creator, .label, .list, .topic, .expression, .content: true
        }
    }

    // MARK: Where the text is

    func region(_ board: SlotBoard, from triggerEnd: Int) -> Range<Int>? {
        var lower = triggerEnd
        while lower < board.range.upperBound, board.mark(lower) == .slot { lower += 1 }
        return lower < board.range.upperBound ? lower..<board.range.upperBound : nil
    }

    /// Drops politeness, structured values and the tool's own words ("… to my shopping list") at the end.
    func trimTail(_ region: inout Range<Int>, _ board: SlotBoard) {
        let isQuoted = board.quoteStart < board.range.upperBound
        let polite: Set<String> = isQuoted ? ["please"] : ["please", "thanks", "now", "immediately", "okay", "ok"]
        while let last = region.last {
            let word = board.tokens[last].lower
            if board.mark(last) == .slot || polite.contains(word) {
                region = region.lowerBound..<last
            } else if board.mark(last) == .trigger {
                region = region.lowerBound..<ownPhraseStart(last, region, board)
            } else if word == "you", last - 1 > region.lowerBound, board.tokens[last - 1].lower == "thank" {
                region = region.lowerBound..<last - 1
            } else if word == "me", last > region.lowerBound, board.tokens[last - 1].lower == "for" {
                region = region.lowerBound..<last - 1
            } else {
                return
            }
        }
    }

    /// Where the closing phrase of the tool's own words begins, with its preposition: "… to my shopping list".
    func ownPhraseStart(_ last: Int, _ region: Range<Int>, _ board: SlotBoard) -> Int {
        var index = last
        while index > region.lowerBound, board.mark(index - 1) == .trigger { index -= 1 }
        while index > region.lowerBound, FunctionWords.determiners.contains(board.tokens[index - 1].lower) {
            index -= 1
        }
        if index > region.lowerBound, Self.tailPrepositions.contains(board.tokens[index - 1].lower) { index -= 1 }
        return index
    }

    /// The prepositions before a closing phrase that names the tool's thing.
    static let tailPrepositions: Set<String> = ["to", "on", "in", "from", "onto", "into", "off", "of", "as"]

    // MARK: Which parameter gets which part

    struct Piece {
        var parameter: ParameterSpec
        var span: Range<Int>
    }

    /// Cuts the region at the words that introduce the open parameters.
    func pieces(_ region: Range<Int>, _ board: SlotBoard, _ open: [ParameterSpec]) -> [Piece] {
        var rest = open
        var found: [Piece] = []
        var cursor = region.lowerBound
        var current: ParameterSpec?
        if let marked = marked(at: cursor, board, rest) {
            current = marked.parameter
            cursor = marked.end
            rest.removeAll { $0.name == marked.parameter.name }
        } else if let first = unmarked(region, board, rest) {
            current = first.parameter
            rest.removeAll { $0.name == first.parameter.name }
            if let end = first.end {
                found.append(Piece(parameter: first.parameter, span: cursor..<end))
                (current, cursor) = (nil, end)
            }
        }
        var index = cursor
        while index < region.upperBound {
            let isEmptyPiece = current != nil && index == cursor
            if !isEmptyPiece, !isQuoted(current, index, board), let marked = marked(at: index, board, rest),
                marked.end < region.upperBound
            {
                if let current { found.append(Piece(parameter: current, span: cursor..<index)) }
                current = marked.parameter
                (cursor, index) = (marked.end, marked.end)
                rest.removeAll { $0.name == marked.parameter.name }
            } else if current == nil, board.isContent(index) || index == cursor,
                let next = rest.first(where: { $0.isRequired && $0.role == .content })
            {
                (current, cursor) = (next, index)
                rest.removeAll { $0.name == next.name }
            } else {
                index += 1
            }
        }
        if let current, cursor < region.upperBound {
            found.append(Piece(parameter: current, span: cursor..<region.upperBound))
        }
        return found
    }

    /// A message runs to its end: "saying I am on my way to Anna" names no recipient.
    func isQuoted(_ current: ParameterSpec?, _ index: Int, _ board: SlotBoard) -> Bool {
        guard let current, current.role == .content || current.role == .topic else { return board.quoteStart < index }
        return board.quoteStart <= index
    }

    /// The parameter that the word at `index` introduces, and where its value begins.
    func marked(at index: Int, _ board: SlotBoard, _ open: [ParameterSpec]) -> (
        parameter: ParameterSpec, end: Int
    )? {
        guard index + 1 < board.range.upperBound, board.mark(index) == .open else { return nil }
        let word = board.tokens[index].lower
        if let named = open.first(where: {
            $0.nameWords.count == 1 && $0.nameWords[0] == word && word.count > 3 && $0.role != .content
        }), open.count > 1 || index > board.start {
            let next = board.tokens[index + 1].lower
            return (
                named, ["is", "to", "of"].contains(next) && index + 2 < board.range.upperBound ? index + 2 : index + 1
            )
        }
        if index == board.quoteStart || board.tokens[index].afterColon,
            let content = open.first(where: { $0.role == .content || $0.role == .topic })
        {
            return (content, board.tokens[index].afterColon ? index : index + 1)
        }
        if word == "if" || word == "whether", let content = open.first(where: { $0.role == .content }) {
            return (content, index)
        }
        let candidates = open.filter { $0.markers.contains(word) }
        if word == "to", startsInfinitive(index + 1, board) {
            if let content = candidates.first(where: { $0.role == .content }) { return (content, index + 1) }
            if open.contains(where: { $0.role == .content }) { return nil }
        }
        guard let parameter = candidates.min(by: { Self.priority($0, word) < Self.priority($1, word) }) else {
            return nil
        }
        guard open.count > 1 || parameter.role != .content || isAtStart(index, board) else { return nil }
        if parameter.role == .list, !["called"].contains(word), !namesList(index + 1, board) { return nil }
        return (parameter, index + 1)
    }

    /// A lone content parameter is cut at no word inside it.
    func isAtStart(_ index: Int, _ board: SlotBoard) -> Bool {
        (board.start..<index).allSatisfy { board.mark($0) != .open || !board.isContent($0) }
    }

    func namesList(_ index: Int, _ board: SlotBoard) -> Bool {
        ["my", "the", "our", "a"].contains(board.tokens[index].lower)
            || (index..<min(index + 3, board.range.upperBound)).contains {
                ["list", "folder", "playlist"].contains(board.tokens[$0].lower)
            }
    }

    func startsInfinitive(_ index: Int, _ board: SlotBoard) -> Bool {
        guard index < board.range.upperBound else { return false }
        let token = board.tokens[index]
        return Thesaurus.actions.contains(token.stem) && !FunctionWords.determiners.contains(token.lower)
            && index + 1 < board.range.upperBound
            && !token.lower.hasSuffix("ing")
    }

    /// Which role a preposition introduces first when several could.
    static func priority(_ parameter: ParameterSpec, _ word: String) -> Int {
        let order: [TextRole]
        switch word {
        case "to": order = [.person, .list, .place, .content]
        case "for": order = [.label, .person, .content, .place]
        case "from": order = [.origin, .creator, .list, .person]
        case "at": order = [.place, .person]
        case "on": order = [.topic, .list, .place]
        case "about": order = [.topic, .content, .label]
        case "with": order = [.person]
        case "called", "named", "titled", "labeled": order = [.label, .content, .list]
        default: order = []
        }
        let rank = order.firstIndex(of: parameter.role) ?? order.count
        return rank + (parameter.isRequired ? 0 : 100)
    }

    /// Who gets the text that no word introduces; with an end when it is a name before the message.
    func unmarked(_ region: Range<Int>, _ board: SlotBoard, _ open: [ParameterSpec]) -> (
        parameter: ParameterSpec, end: Int?
    )? {
        let others = open.filter { $0.role == .content || $0.role == .label || $0.role == .topic }
        if let person = open.first(where: { $0.role == .person }) {
            let hasMarkedPerson = region.dropFirst().contains {
                $0 < board.quoteStart && board.tokens[$0].lower == "to" && !startsInfinitive($0 + 1, board)
            }
            if others.isEmpty { return (person, nil) }
            if !hasMarkedPerson || isDative(board) { return (person, nameEnd(region, board)) }
        }
        if let direct = open.first(where: { $0.isRequired && ($0.role == .content || $0.role == .label) }) {
            return (direct, nil)
        }
        if let required = open.first(where: {
            $0.isRequired && $0.role != .list && $0.role != .creator && $0.role != .origin
        }) {
            return (required, nil)
        }
        let takesObject = texts.allSatisfy { !$0.isRequired } && profile.parameters.allSatisfy { !$0.isRequired }
        return takesObject ? open.first { $0.role == .content || $0.role == .label }.map { ($0, nil) } : nil
    }

    /// "text Anna …", "tell Bob …", "let Mum know …": the person comes first.
    func isDative(_ board: SlotBoard) -> Bool {
        guard let head else { return false }
        return [
            "text", "tell", "message", "email", "ask", "let", "ping", "call", "ring", "dm", "phone", "sms", "invite",
            "remind",
        ].contains(board.tokens[head].lower)
    }

    /// Where a name ends before the message: one word, or a possessive and a noun; further words only if capitalised.
    func nameEnd(_ region: Range<Int>, _ board: SlotBoard) -> Int? {
        var end = region.lowerBound + 1
        if FunctionWords.determiners.contains(board.tokens[region.lowerBound].lower), end < region.upperBound {
            end += 1
        }
        if end < region.upperBound, board.tokens[end].lower == "and", end + 1 < region.upperBound,
            board.utterance.text[board.tokens[end + 1].range.lowerBound].isUppercase
        {
            end += 2
        }
        while end < region.upperBound, board.tokens[end].breakBefore == .none, board.tokens[end].lower != "i",
            end - region.lowerBound < 3,
            board.utterance.text[board.tokens[end].range.lowerBound].isUppercase,
            board.utterance.text[board.tokens[end - 1].range.lowerBound].isUppercase
        { end += 1 }
        return end
    }

    // MARK: Words between verb and noun

    /// "send Anna a message", "set a pasta timer", "turn off the kitchen lights".
    func fillGap(_ gap: Range<Int>, on board: inout SlotBoard) {
        var named = gap
        while named.lowerBound - 1 > board.range.lowerBound,
            FunctionWords.determiners.contains(board.tokens[named.lowerBound - 1].lower)
        {
            named = named.lowerBound - 1..<named.upperBound
        }
        let isDirectlyBehindVerb = head.map { named.lowerBound == $0 + 1 } ?? false
        let roles: [TextRole] =
            isDirectlyBehindVerb
            ? [.person, .label, .place, .creator, .content]
            : [.label, .place, .list, .creator, .topic, .content, .person]
        for role in roles {
            guard let parameter = texts.first(where: { $0.role == role && board.arguments[$0.name] == nil }) else {
                continue
            }
            // "put on some classical music" asks for classical music; "set a pasta timer" is labelled pasta.
            var end = gap.upperBound
            while role == .content, head != nil, isQuery(parameter), end < board.range.upperBound,
                board.mark(end) == .trigger, isOwnThing(end, board)
            { end += 1 }
            let hasMore = (end..<board.range.upperBound).contains { board.mark($0) == .open && board.isContent($0) }
            let lower = role == .person || role == .place ? named.lowerBound : gap.lowerBound
            assign(Piece(parameter: parameter, span: lower..<(hasMore ? gap.upperBound : end)), on: &board)
            return
        }
    }
}
