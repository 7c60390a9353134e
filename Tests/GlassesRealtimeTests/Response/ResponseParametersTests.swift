import GlassesDomain
import GlassesRealtime
import Testing

@Suite struct ResponseParametersTests {
    static let refused: [(response: String, param: String)] = [
        (#"{"output_modalities":["audio","text"]}"#, "response.output_modalities"),
        (#"{"audio":{"output":{"format":{"type":"audio/pcm","rate":8000}}}}"#, "response.audio.output.format.rate"),
        (#"{"tools":[{"type":"function","name":""}]}"#, "response.tools[0].name"),
        (#"{"tool_choice":"sometimes"}"#, "response.tool_choice"),
        (#"{"max_output_tokens":5000}"#, "response.max_output_tokens"),
        (#"{"input":[{"type":"item_reference"}]}"#, "response.input[0].id"),
        (
            #"{"input":[{"type":"item_reference","id":"i"},{"type":"message","role":"user","content":[]}]}"#,
            "response.input[1].content"
        ),
        (#"{"metadata":{"k":"\#(String(repeating: "v", count: 513))"}}"#, "response.metadata"),
        (#"{"metadata":{"\#(String(repeating: "k", count: 65))":"v"}}"#, "response.metadata"),
        (
            "{\"metadata\":{" + (0..<17).map { "\"k\($0)\":\"v\"" }.joined(separator: ",") + "}}", "response.metadata"
        ),
    ]

    @Test(arguments: refused)
    func aValueThatNoServerAcceptsNamesItsField(_ response: String, _ param: String) throws {
        let problem = try #require(try parameters(response).firstProblem)
        #expect(problem.code == "invalid_value" || problem.code == "missing_required_parameter")
        #expect(problem.param == param)
    }

    @Test(arguments: [
        "{}", #"{"input":[]}"#, #"{"input":[{"type":"item_reference","id":"i"}]}"#, #"{"metadata":{"k":"v"}}"#,
        #"{"max_output_tokens":4096,"output_modalities":["text"],"voice":"ash"}"#,
    ])
    func parametersOfTheProtocolHaveNoProblem(_ response: String) throws {
        #expect(try parameters(response).firstProblem == nil)
    }

    @Test func unknownParametersAreKept() throws {
        #expect(try parameters(#"{"mood":"sunny"}"#).extra == ["mood": "sunny"])
    }

    private func parameters(_ response: String) throws -> ResponseParameters {
        let message = Array(#"{"type":"response.create","response":\#(response)}"#.utf8)
        guard case .responseCreate(let parameters?) = try RealtimeCodec.decodeClientEvent(message).event else {
            throw UnexpectedEvent()
        }
        return parameters
    }
}
