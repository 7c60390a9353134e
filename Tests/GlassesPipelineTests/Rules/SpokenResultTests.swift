import Testing

@testable import GlassesPipeline

@Suite struct SpokenResultTests {
    private func spoken(_ outputs: String...) -> String {
        SpokenResult.spokenAnswer(for: outputs.map { ToolAnswer(call: BrainCall(name: "get_time"), output: $0) })
    }

    @Test(
        "a result is spoken by its text, its spoken field or its first scalars",
        arguments: [
            ("It is ten past four.", "It is ten past four."), (#"{"speech":"Done.","id":7}"#, "Done."),
            (#"{"message":"Saved"}"#, "Saved"), (#"{"summary":"Two events"}"#, "Two events"),
            (#"{"message":"b","speech":"a"}"#, "a"), (#"{"stepCount":4000}"#, "step count: 4000"),
            (#"{"a":1,"b":true,"c":"x","d":2}"#, "a: 1, b: yes, c: x"), (#"{"list":[1],"n":2.5}"#, "n: 2.5"),
            (#""quoted""#, "quoted"), ("42", "42"), ("", "Done."), ("{}", "Done."), ("null", "Done."),
            ("{broken", "{broken"),
        ])
    func results(output: String, text: String) { #expect(spoken(output) == text) }

    @Test("an error is one sentence with its reason")
    func errors() {
        #expect(spoken(#"{"error":"no camera"}"#) == "Sorry, get time did not work: no camera.")
        #expect(spoken(#"{"error":"no\ncamera!"}"#) == "Sorry, get time did not work: no camera!")
        let failed = ToolAnswer(call: BrainCall(name: "get_time"), output: "", isError: true)
        #expect(SpokenResult.spokenAnswer(for: [failed]) == "Sorry, get time did not work.")
    }

    @Test("an error member beside others is a result")
    func errorAmongOthers() { #expect(spoken(#"{"error":"none","speech":"All good."}"#) == "All good.") }

    @Test("several results are one answer in call order")
    func several() {
        #expect(
            spoken("Picture taken", #"{"error":"busy"}"#, "Ten past four.")
                == "Picture taken. Sorry, get time did not work: busy. Ten past four.")
    }
}
