import Testing

@testable import GlassesGateway

@Suite("The text of metrics") struct MetricsTextTests {
    @Test("a label's value may hold anything, and its three special characters are escaped")
    func escaping() {
        var text = MetricsText()
        text.add("refusals_total", .counter, "Refusals.", label: "host", ["a\\b\"c\nd": 2])
        #expect(
            text.text == """
                # HELP refusals_total Refusals.
                # TYPE refusals_total counter
                refusals_total{host="a\\\\b\\"c\\nd"} 2

                """)
    }

    @Test("the buckets of a histogram add up, and the last one holds everything")
    func histogram() {
        var seconds = Histogram(bounds: [1, 10])
        for value in [0.5, 1, 2, 20] { seconds.add(value) }
        var text = MetricsText()
        text.add("session_seconds", "How long.", seconds)
        #expect(
            text.text == """
                # HELP session_seconds How long.
                # TYPE session_seconds histogram
                session_seconds_bucket{le="1"} 2
                session_seconds_bucket{le="10"} 3
                session_seconds_bucket{le="+Inf"} 4
                session_seconds_sum 23.5
                session_seconds_count 4

                """)
    }

    @Test("a close code that a peer made up adds no label of its own")
    func closeCodes() {
        var metrics = GatewayMetrics()
        let session = GatewaySession(number: 1, model: "local", upstream: nil, token: nil)
        for code in UInt16(4_100)...4_199 {
            metrics.count(.sessionStarted(session))
            metrics.count(
                .sessionEnded(session, GatewaySessionSummary(seconds: 1, received: 0, sent: 0, closeCode: code)))
        }
        let text = metrics.text(isDraining: false, server: nil, process: nil)
        #expect(text.contains("extentos_gateway_sessions_ended_total{code=\"4100\"} 100\n"))
        #expect(text.contains("extentos_gateway_sessions_active{service=\"pipeline\"} 0\n"))
    }
}
