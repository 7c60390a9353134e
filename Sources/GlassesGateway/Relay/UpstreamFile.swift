import Foundation
import GlassesDomain

/// Reads the operator's list of upstreams. Every field is checked; an unknown one is refused, since it is most likely a
/// typing error.
///
/// ```json
/// {"default": "fast",
///  "models": {"fast": {"url": "wss://api.openai.com/v1", "model": "gpt-realtime", "key": {"env": "OPENAI_API_KEY"}}},
///  "chat": {"models": {"small": {"url": "https://api.openai.com/v1", "model": "gpt-4o-mini", "key": {"env": "…"}}}}}
/// ```
public enum UpstreamFile {
    /// The upstreams of the file at `path`, with their keys from `environment` and from 0600 files.
    ///
    /// Throws ``GatewayError`` with the line, or the name of the field, at fault; never with the content of a key.
    public static func load(_ path: String, environment: [String: String]) throws(GatewayError) -> Upstreams {
        let bytes = try GuardedFile.read(
            path, "upstream file", rule: .trusted, limit: GatewayLimits.upstreamFileBytes)
        let tree: JSONValue
        do {
            tree = try JSONValue(jsonText: bytes)
        } catch {
            let line = 1 + bytes.prefix(error.offset).count { $0 == UInt8(ascii: "\n") }
            throw .upstream(path, "line \(line)", "\(error.reason).")
        }
        return try UpstreamFields(file: path, environment: environment).upstreams(tree)
    }
}

/// Reads the fields of one file.
private struct UpstreamFields {
    let file: String
    let environment: [String: String]

    func upstreams(_ tree: JSONValue) throws(GatewayError) -> Upstreams {
        let members = try object(tree, at: "the file", fields: ["default", "models", "chat"])
        let chat = try members["chat"].map { (value) throws(GatewayError) in try self.chat(value) }
        if members["models"] == nil, chat != nil {
            let defaultModel = try self.defaultModel(members, among: [], at: "default")
            return Upstreams(models: [:], defaultModel: defaultModel, chat: chat)
        }
        let found = try named(members["models"], at: "models", read: upstream)
        let defaultModel = try self.defaultModel(members, among: found.keys.map { $0 }, at: "default")
        return Upstreams(models: found, defaultModel: defaultModel, chat: chat)
    }

    private func chat(_ value: JSONValue) throws(GatewayError) -> ChatUpstreams {
        let members = try object(value, at: "chat", fields: ["default", "models"])
        let found = try named(members["models"], at: "chat.models", read: chatUpstream)
        let defaultModel = try self.defaultModel(members, among: found.keys.map { $0 }, at: "chat.default")
        return ChatUpstreams(models: found, defaultModel: defaultModel)
    }

    /// An object with one member for each model.
    private func named<Value>(
        _ models: JSONValue?, at place: String, read: (JSONValue, String) throws(GatewayError) -> Value
    ) throws(GatewayError) -> [String: Value] {
        guard let models else { throw problem(place, "the field is missing.") }
        guard let named = models.objectValue, !named.isEmpty else {
            throw problem(place, "write an object with at least one model.")
        }
        var found: [String: Value] = [:]
        for (name, value) in named {
            guard name != "local" else {
                throw problem("\(place).local", "the name 'local' is taken: it is this machine's own model.")
            }
            found[name] = try read(value, "\(place).\(name)")
        }
        return found
    }

    private func defaultModel(
        _ members: [String: JSONValue], among names: [String], at place: String
    ) throws(GatewayError) -> String? {
        let name = try optionalText(members, "default", at: place)
        if let name, !names.contains(name), name != "local" {
            throw problem(place, "no model is called '\(name)'.")
        }
        return name
    }

    private func chatUpstream(_ value: JSONValue, at place: String) throws(GatewayError) -> ChatUpstream {
        let members = try object(value, at: place, fields: ["url", "model", "key", "ca"])
        let key = try members["key"].map { (value) throws(GatewayError) in try self.key(value, at: "\(place).key") }
        let address = try UpstreamAddress(
            try requiredText(members, "url", at: place), face: .chat, sendsKey: key != nil
        ) { reason in problem("\(place).url", reason) }
        return ChatUpstream(
            url: address.url, host: address.host, model: try requiredText(members, "model", at: place),
            key: key?.text, keyHeader: key?.header ?? .authorization,
            certificateAuthority: try optionalText(members, "ca", at: "\(place).ca"))
    }

    private func upstream(_ value: JSONValue, at place: String) throws(GatewayError) -> Upstream {
        let members = try object(
            value, at: place, fields: ["url", "dialect", "model", "key", "ca", "capabilities", "headers"])
        let dialect = try dialect(members, at: place)
        let model = try requiredText(members, "model", at: place)
        let key = try members["key"].map { (value) throws(GatewayError) in try self.key(value, at: "\(place).key") }
        let headers = try headers(members["headers"], at: "\(place).headers")
        let address = try UpstreamAddress(
            try requiredText(members, "url", at: place), face: .realtime(dialect, model: model),
            sendsKey: key != nil || !headers.fields.isEmpty
        ) { reason in problem("\(place).url", reason) }
        return Upstream(
            url: address.url, host: address.host, model: model, key: key?.text,
            keyHeader: key?.header ?? (dialect == .gemini ? .googleKey : .authorization),
            certificateAuthority: try optionalText(members, "ca", at: "\(place).ca"),
            capabilities: try capabilities(members["capabilities"], at: "\(place).capabilities"), dialect: dialect,
            headers: headers.fields, headerSecrets: headers.secrets)
    }

    private func dialect(_ members: [String: JSONValue], at place: String) throws(GatewayError) -> Upstream.Dialect {
        guard let name = try optionalText(members, "dialect", at: "\(place).dialect") else { return .openAI }
        guard let dialect = Upstream.Dialect(rawValue: name) else {
            throw problem("\(place).dialect", "write \"openai\", \"beta\" or \"gemini\".")
        }
        return dialect
    }

    /// Fields by their names; a value that is a secret comes from the environment or from a file, as a key does.
    private func headers(
        _ value: JSONValue?, at place: String
    ) throws(GatewayError) -> (fields: [GatewayHeader], secrets: [String]) {
        guard let value else { return ([], []) }
        guard let members = value.objectValue else { throw problem(place, "write an object.") }
        var (fields, secrets): ([GatewayHeader], [String]) = ([], [])
        for (name, value) in members.sorted(by: { $0.key < $1.key }) {
            var text = value.stringValue
            if text == nil {
                let secret = try secret(value, at: "\(place).\(name)")
                secrets.append(secret)
                text = secret
            }
            let field = GatewayHeader(name, text ?? "")
            do throws(ConnectionClosure) { try field.check() } catch { throw problem(place, error.message) }
            fields.append(field)
        }
        return (fields, secrets)
    }

    private func secret(_ value: JSONValue, at place: String) throws(GatewayError) -> String {
        let members = try object(value, at: place, fields: ["env", "file"])
        return try keyText(members, at: place)
    }

    private func key(
        _ value: JSONValue, at place: String
    ) throws(GatewayError) -> (text: String, header: Upstream.KeyHeader?) {
        let members = try object(value, at: place, fields: ["env", "file", "header"])
        let header = try optionalText(members, "header", at: "\(place).header")
        let known = header.flatMap(Upstream.KeyHeader.init)
        if header != nil, known == nil {
            throw problem("\(place).header", "write \"authorization\", \"api-key\" or \"x-goog-api-key\".")
        }
        return (try keyText(members, at: place), known)
    }

    private func keyText(_ members: [String: JSONValue], at place: String) throws(GatewayError) -> String {
        let variable = try optionalText(members, "env", at: "\(place).env")
        let path = try optionalText(members, "file", at: "\(place).file")
        switch (variable, path) {
        case (let variable?, nil): return try keyText(variable: variable, at: place)
        case (nil, let path?): return try keyText(path: path, at: place)
        case (nil, nil), (.some, .some):
            throw problem(place, "write either {\"env\": \"NAME\"} or {\"file\": \"PATH\"}.")
        }
    }

    private func keyText(variable: String, at place: String) throws(GatewayError) -> String {
        guard let text = environment[variable], !text.isEmpty else {
            throw problem("\(place).env", "the environment variable \(variable) is not set.")
        }
        return try checked(text, "the variable \(variable)", at: "\(place).env")
    }

    private func keyText(path: String, at place: String) throws(GatewayError) -> String {
        let bytes = try GuardedFile.read(path, "key file", rule: .secret, limit: GatewayLimits.secretFileBytes)
        let text = String(decoding: bytes, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
        return try checked(text, "the file \(path)", at: "\(place).file")
    }

    private func checked(_ key: String, _ source: String, at place: String) throws(GatewayError) -> String {
        guard !key.isEmpty, key.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
            throw problem(place, "\(source) holds no key: one line of visible ASCII characters.")
        }
        return key
    }

    private func capabilities(
        _ value: JSONValue?, at place: String
    ) throws(GatewayError) -> Upstream.Capabilities {
        var capabilities = Upstream.Capabilities()
        guard let value else { return capabilities }
        let members = try object(
            value, at: place, fields: ["truncate", "retrieve", "delete", "cancel_by_name", "nested_voice"])
        capabilities.truncate = try flag(members, "truncate", at: place)
        capabilities.retrieve = try flag(members, "retrieve", at: place)
        capabilities.delete = try flag(members, "delete", at: place)
        capabilities.cancelByName = try flag(members, "cancel_by_name", at: place)
        capabilities.nestedVoice = try flag(members, "nested_voice", at: place)
        return capabilities
    }

    private func flag(_ members: [String: JSONValue], _ name: String, at place: String) throws(GatewayError) -> Bool {
        guard let value = members[name] else { return true }
        guard let flag = value.boolValue else { throw problem("\(place).\(name)", "write true or false.") }
        return flag
    }

    private func object(
        _ value: JSONValue, at place: String, fields: [String]
    ) throws(GatewayError) -> [String: JSONValue] {
        guard let members = value.objectValue else { throw problem(place, "write an object.") }
        if let unknown = members.keys.sorted().first(where: { !fields.contains($0) }) {
            throw problem(place, "unknown field '\(unknown)'; there are \(fields.joined(separator: ", ")).")
        }
        return members
    }

    private func requiredText(
        _ members: [String: JSONValue], _ name: String, at place: String
    ) throws(GatewayError) -> String {
        guard let text = try optionalText(members, name, at: "\(place).\(name)") else {
            throw problem("\(place).\(name)", "the field is missing.")
        }
        return text
    }

    private func optionalText(
        _ members: [String: JSONValue], _ name: String, at place: String
    ) throws(GatewayError) -> String? {
        guard let value = members[name] else { return nil }
        guard let text = value.stringValue, !text.isEmpty else { throw problem(place, "write a text in quotes.") }
        return text
    }

    private func problem(_ place: String, _ reason: String) -> GatewayError { .upstream(file, place, reason) }
}
