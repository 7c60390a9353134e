import CGlassesPlugin
import GlassesPluginHost

/// Checks that several kinds share: how requests and instances end.
enum Endings {
    /// What destroy may take.
    static let destroyLimit = Duration.seconds(2)
    /// Long enough for a late thread to call, short enough for every case.
    static let silence = Duration.milliseconds(300)

    /// Destroys an instance: it returns in time, and nothing comes afterwards.
    static func checkDestroy(of instance: InstanceUnderTest) throws(CaseEnd) {
        let took = instance.destroy()
        try expect(took <= destroyLimit, "destroy took \(took.inMilliseconds) ms.")
        try checkSilence(of: instance.recorder, after: "destroy returned")
    }

    /// Fails when a callback comes within a third of a second, or came since there were `since`.
    static func checkSilence(of recorder: Recorder, since: Int? = nil, after what: String) throws(CaseEnd) {
        let before = since ?? recorder.count
        Moment.pause(silence)
        let late = recorder.all.dropFirst(before)
        try expect(late.isEmpty, "\(late.first?.name ?? "A callback") came after \(what).")
    }

    /// Fails unless each of `accepted` ended once, nothing else ended, and nothing came for a request after its end.
    static func checkOnce(_ accepted: [UInt64], _ callbacks: [PluginCallback]) throws(CaseEnd) {
        var ended: Set<UInt64> = []
        for callback in callbacks {
            guard let id = callback.subject else { continue }
            try expect(
                accepted.contains(id), "\(callback.name) came for the request \(id), which was not made or refused.")
            try expect(!ended.contains(id), "\(callback.name) came for a request that had ended.")
            if callback.ending != nil { ended.insert(id) }
        }
        for id in accepted { try expect(ended.contains(id), "A request that was accepted did not end.") }
    }

    /// Fails when a result or a state is not one that version 1.0 knows.
    static func checkKnown(_ callbacks: [PluginCallback]) throws(CaseEnd) {
        for callback in callbacks {
            if let ending = callback.ending {
                try expect(
                    KnownResults.all.contains(ending.result),
                    "\(callback.name) came with \(KnownResults.name(ending.result)).")
            }
            if case .state(let state, _) = callback.kind {
                let known = Int32(GLASSES_DEVICE_DISCONNECTED)...Int32(GLASSES_DEVICE_CONNECTED)
                try expect(known.contains(state), "on_state came with the unknown state \(state).")
            }
        }
    }

    /// A second instance beside the first; skips the case where the plugin allows only one.
    static func another(
        _ kind: PluginKind, _ entry: EntryUnderTest, _ run: CaseRun
    ) throws(CaseEnd) -> InstanceUnderTest {
        let creation = try InstanceUnderTest.create(kind, entry, run)
        if creation.result == GLASSES_ERROR_BUSY { throw .skipped("the plugin allows only one instance") }
        guard creation.result == GLASSES_OK, let second = InstanceUnderTest(creation, kind, run) else {
            throw .failed("create answered \(KnownResults.name(creation.result)) for a second instance.")
        }
        return second
    }
}
