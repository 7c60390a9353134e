import CGlassesPlugin

/// A transport's display.
enum DisplayCases {
    static let all = [
        ConformanceCase(
            "display.show", .display, "a tree is accepted and on the panel within 2 s", needs: ["transport.disconnect"]
        ) { run throws(CaseEnd) in
            let display = try DisplayUnderTest.connected(run)
            try display.show(tree)
        },
        ConformanceCase(
            "display.clear", .display, "clear is accepted and completes within 2 s", needs: ["display.show"]
        ) { run throws(CaseEnd) in
            let display = try DisplayUnderTest.connected(run)
            try display.show(tree)
            try display.clear()
        },
        ConformanceCase(
            "display.unconnected", .display, "show before connect is refused with STATE", needs: ["display.show"]
        ) { run throws(CaseEnd) in
            let result = try DisplayUnderTest(of: try TransportUnderTest.activated(run)).attemptShow(tree).result
            try expect(result == GLASSES_ERROR_STATE, "show before connect answered \(KnownResults.name(result)).")
        },
        ConformanceCase(
            "display.invalid-tree", .display, "what is no tree is refused with INVALID", needs: ["display.show"]
        ) { run throws(CaseEnd) in
            let display = try DisplayUnderTest.connected(run)
            for text in ["", "[]", "7", "{", "nonsense"] {
                let result = display.attemptShow(text).result
                try expect(
                    result == GLASSES_ERROR_INVALID, "show answered \(KnownResults.name(result)) to the tree \(text).")
            }
        },
        ConformanceCase(
            "display.unknown-kinds", .display, "unknown kinds and fields are left out", needs: ["display.show"]
        ) { run throws(CaseEnd) in
            try DisplayUnderTest.connected(run).show(
                "{\"kind\":\"flexBox\",\"org.example\":[1,{\"a\":null}],\"children\":[{\"kind\":\"org.example\"},"
                    + "{\"kind\":\"text\",\"text\":\"Hello\"}]}")
        },
        ConformanceCase(
            "display.large-tree", .display, "a tree above 1 MiB is refused with TOO_LARGE", needs: ["display.show"]
        ) { run throws(CaseEnd) in
            let text = String(repeating: "x", count: Int(GLASSES_DISPLAY_TREE_MAX))
            let result = try DisplayUnderTest.connected(run)
                .attemptShow("{\"kind\":\"text\",\"text\":\"\(text)\"}").result
            try expect(result == GLASSES_ERROR_TOO_LARGE, "show answered \(KnownResults.name(result)).")
        },
        ConformanceCase(
            "display.one-ending", .display, "each accepted tree ends exactly once, also one that a later one replaces",
            needs: ["display.show"]
        ) { run throws(CaseEnd) in
            let display = try DisplayUnderTest.connected(run)
            for _ in 0..<3 { _ = display.attemptShow(tree) }
            for id in display.transport.accepted {
                _ = try display.transport.end(of: id, "show", within: TransportUnderTest.Limit.other)
            }
            Moment.pause(Endings.silence)
            try Endings.checkOnce(display.transport.accepted, display.transport.recorder.all)
        },
    ]

    private static let tree =
        "{\"kind\":\"flexBox\",\"direction\":\"column\",\"children\":[{\"kind\":\"text\",\"text\":\"Hello\",\"style\":\"body\"},"
        + "{\"kind\":\"button\",\"id\":\"ok\",\"text\":\"OK\",\"style\":\"primary\"}]}"
}
