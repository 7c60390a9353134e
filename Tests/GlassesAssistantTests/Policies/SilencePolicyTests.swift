import GlassesAssistant
import GlassesDomain
import Testing

@Suite struct SilencePolicyTests {
    @Test(arguments: [SessionActivity.speech, .playback, .tool, .answer, .notAwake])
    func anyActivityStopsTheCountAndItsEndBeginsItAnew(activity: SessionActivity) {
        var policy = SilencePolicy(timeout: .seconds(10))
        let later = MonotonicTime.zero.advanced(by: .seconds(3))
        #expect(policy.apply([], wasTouched: false, at: .zero) == .schedule(at: .zero.advanced(by: .seconds(10))))
        #expect(policy.apply([], wasTouched: false, at: later) == .none)
        #expect(policy.apply(activity, wasTouched: false, at: later) == .cancel)
        #expect(policy.apply(activity, wasTouched: true, at: later) == .none)
        #expect(policy.apply([], wasTouched: false, at: later) == .schedule(at: .zero.advanced(by: .seconds(13))))
    }

    @Test func somethingShortBeginsTheCountAnew() {
        var policy = SilencePolicy(timeout: .seconds(10))
        _ = policy.apply([], wasTouched: false, at: .zero)
        let later = MonotonicTime.zero.advanced(by: .seconds(5))
        #expect(policy.apply([], wasTouched: true, at: later) == .schedule(at: .zero.advanced(by: .seconds(15))))
    }

    @Test func withoutATimeoutNothingIsCounted() {
        var policy = SilencePolicy(timeout: nil)
        #expect(policy.apply([], wasTouched: true, at: .zero) == .none)
    }
}
