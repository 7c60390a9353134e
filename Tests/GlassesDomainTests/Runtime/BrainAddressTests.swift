import Foundation
import Testing

@testable import GlassesDomain

@Suite("The address of a chat endpoint")
struct BrainAddressTests {
    @Test(
        "the path of the chat API is completed",
        arguments: [
            ("http://127.0.0.1:8080", "http://127.0.0.1:8080/v1/chat/completions"),
            ("http://localhost/v1/", "http://localhost/v1/chat/completions"),
            ("HTTPS://api.example.com/openai", "https://api.example.com/openai/chat/completions"),
            (
                "https://a.example/v1/chat/completions?api-version=1",
                "https://a.example/v1/chat/completions?api-version=1"
            ),
            ("unix:/run/llama.sock", "http://localhost/v1/chat/completions"),
        ])
    func completed(_ text: String, _ url: String) throws {
        #expect(try BrainAddress(text: text).url.absoluteString == url)
    }

    @Test("a Unix socket is on this machine, also with a space in its name")
    func socket() throws {
        for text in ["unix:/run/a%20b.sock", "unix:///run/a%20b.sock"] {
            let address = try BrainAddress(text: text, key: "k")
            #expect(address.socketPath == "/run/a b.sock" && address.isLoopback && !address.isEncrypted)
            #expect(address.displayName == "/run/a b.sock")
        }
    }

    @Test(
        "what cannot be used is refused without being quoted",
        arguments: [
            "ws://a.example", "http://", "https://secret:secret@a.example", "https://a.example/#secret",
            "unix:secret.sock",
            "unix://secret/run/x", "unix:/" + String(repeating: "s", count: 107), "a.example", "http://a.example:70000",
        ])
    func refused(_ text: String) {
        let error = #expect(throws: BrainAddressError.self) { try BrainAddress(text: text) }
        #expect(error?.code == "invalid_url" && error?.message.contains("secret") == false)
    }

    @Test("a key goes over TLS or stays on this machine")
    func keys() throws {
        for text in ["https://a.example", "http://127.0.0.9:1", "http://[::1]:1", "http://localhost", "unix:/x"] {
            _ = try BrainAddress(text: text, key: "sk-1")
        }
        for text in [
            "http://a.example", "http://192.168.0.2", "http://localhost.example.com", "http://127.0.0.1.example.com",
        ] {
            #expect(throws: BrainAddressError.self) { try BrainAddress(text: text, key: "sk-1") }
            _ = try BrainAddress(text: text)
        }
        for key in ["", "two words", "line\n"] {
            #expect(throws: BrainAddressError.self) { try BrainAddress(text: "https://a.example", key: key) }
        }
    }

    @Test("where text goes is said")
    func destination() throws {
        func sentence(_ text: String) throws -> String { AudioDestination.brain(try BrainAddress(text: text)).sentence }
        #expect(try sentence("https://a.example/v1") == "Audio stays on this machine. Text goes to a.example over TLS.")
        #expect(try sentence("http://a.example:81").contains("Text goes to a.example:81 unencrypted"))
        #expect(try sentence("unix:/run/x").hasSuffix("Text goes to the chat endpoint on this machine, /run/x."))
        let payload = AudioDestination.brain(try BrainAddress(text: "https://a.example/v1")).payload
        #expect(
            payload["gateway"] == "embedded" && payload["textHost"] == "a.example" && payload["textEncrypted"] == true)
    }

    @Test("an endpoint shows its host and not its key")
    func hidden() throws {
        let url = try #require(URL(string: "https://a.example/v1"))
        let endpoint = BrainEndpoint(url: url, key: "sk-secret")
        var dumped = ""
        dump(BrainChoice.endpoint(endpoint), to: &dumped)
        #expect(
            !"\(endpoint) \(BrainChoice.endpoint(endpoint)) \(String(reflecting: endpoint))\(dumped)".contains("secret")
        )
        #expect("\(endpoint)".contains("a.example"))
    }
}
