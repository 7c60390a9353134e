import GlassesDomain

/// Messages for and of servers that have a session's voice and turn detection at its top instead of in `audio`, and `modalities` in the
/// place of an answer's `output_modalities`.
public enum TopLevelVoice {
    private static let audioAppend = "input_audio_buffer.append"

    /// A client's message as such a server takes it. What is the same in both forms, and what cannot be read, passes as it came.
    public static func clientMessage(_ message: [UInt8]) -> [UInt8] {
        // Fifty a second; it is the same in both forms.
        if FlatObject(message)?.text("type") == audioAppend { return message }
        guard var event = object(message) else { return message }
        switch event["type"]?.stringValue {
        case "session.update":
            guard let session = event["session"]?.objectValue else { return message }
            event["session"] = .object(lifted(session))
        case "response.create":
            guard var response = event["response"]?.objectValue,
                let modalities = response.removeValue(forKey: "output_modalities")
            else { return message }
            response["modalities"] = modalities
            event["response"] = .object(response)
        default: return message
        }
        return Array(JSONValue.object(event).jsonText.utf8)
    }

    /// A message of such a server as clients know it.
    public static func serverMessage(_ message: [UInt8]) -> [UInt8] {
        guard message.count <= longestSession, mentionsSession(message), var event = object(message),
            ["session.created", "session.updated"].contains(event["type"]?.stringValue),
            let session = event["session"]?.objectValue
        else { return message }
        event["session"] = .object(lowered(session))
        return Array(JSONValue.object(event).jsonText.utf8)
    }

    /// Far more than the description of a session; what is longer is sound.
    private static let longestSession = 1 << 20
    private static let mark = Array("\"session.".utf8)

    private static func mentionsSession(_ message: [UInt8]) -> Bool {
        message.withUnsafeBufferPointer { bytes in
            mark.withUnsafeBufferPointer { mark in
                guard bytes.count >= mark.count else { return false }
                return (0...(bytes.count - mark.count)).contains { start in
                    bytes[start] == mark[0] && mark.indices.allSatisfy { bytes[start + $0] == mark[$0] }
                }
            }
        }
    }

    private static func object(_ message: [UInt8]) -> [String: JSONValue]? {
        do {
            return try JSONValue(jsonText: message).objectValue
        } catch {
            // Whoever gets it answers what is no JSON, in its own words.
            return nil
        }
    }

    /// Where a member stands in `audio`, by its name at the top.
    private static let places = [("voice", "output"), ("turn_detection", "input")]

    private static func lifted(_ session: [String: JSONValue]) -> [String: JSONValue] {
        var (session, audio) = (session, session["audio"]?.objectValue ?? [:])
        for (name, side) in places {
            guard var members = audio[side]?.objectValue, let value = members.removeValue(forKey: name) else {
                continue
            }
            session[name] = value
            audio[side] = members.isEmpty ? nil : .object(members)
        }
        if session["audio"] != nil { session["audio"] = audio.isEmpty ? nil : .object(audio) }
        return session
    }

    private static func lowered(_ session: [String: JSONValue]) -> [String: JSONValue] {
        var (session, audio) = (session, session["audio"]?.objectValue ?? [:])
        for (name, side) in places {
            guard let value = session.removeValue(forKey: name) else { continue }
            var members = audio[side]?.objectValue ?? [:]
            members[name] = value
            audio[side] = .object(members)
        }
        if !audio.isEmpty { session["audio"] = .object(audio) }
        return session
    }
}
