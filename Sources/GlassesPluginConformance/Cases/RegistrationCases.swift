import CGlassesPlugin

/// A transport's registration. What needs a person is not tried: nobody may be there.
enum RegistrationCases {
    static let all = [
        ConformanceCase(
            "registration.state", .registration, "on_registration tells a known state within 3 s after attach",
            needs: ["transport.extensions"]
        ) { run throws(CaseEnd) in
            let state = try RegistrationUnderTest.attached(run).firstState()
            let known = Int32(GLASSES_REGISTRATION_UNAVAILABLE)...Int32(GLASSES_REGISTRATION_REGISTERED)
            try expect(known.contains(state), "on_registration came with the unknown state \(state).")
        },
        ConformanceCase(
            "registration.check", .registration,
            "check_permission is answered once, before its end, without a connection", needs: ["registration.state"]
        ) { run throws(CaseEnd) in
            let registration = try RegistrationUnderTest.attached(run)
            _ = try registration.firstState()
            for permission in [GLASSES_PERMISSION_CAMERA, GLASSES_PERMISSION_MICROPHONE] {
                let (id, result) = registration.check(Int32(permission))
                try expect(result == GLASSES_OK, "check_permission answered \(KnownResults.name(result)).")
                let end = try registration.transport.end(
                    of: id, "check_permission", within: RegistrationUnderTest.Limit.answer)
                // Glasses that are not there, or an app that is not registered, cannot be asked.
                if end == GLASSES_OK { _ = try registration.answer(to: id, "check_permission") }
            }
        },
        ConformanceCase(
            "registration.unknown-permission", .registration,
            "a permission that 1.0 does not have is refused with INVALID",
            needs: ["registration.state"]
        ) { run throws(CaseEnd) in
            let registration = try RegistrationUnderTest.attached(run)
            for permission: Int32 in [0, 3, -1, .max] {
                let result = registration.check(permission).result
                try expect(
                    result == GLASSES_ERROR_INVALID,
                    "check_permission answered \(KnownResults.name(result)) to the permission \(permission).")
            }
        },
        ConformanceCase(
            "registration.url", .registration, "a URL of somebody else is answered with 0",
            needs: ["registration.state"]
        ) { run throws(CaseEnd) in
            let registration = try RegistrationUnderTest.attached(run)
            _ = try registration.firstState()
            for url in ["https://example.org/?a=b", "", "no URL at all"] {
                let (id, result) = registration.open(url)
                try expect(result == GLASSES_OK, "handle_url answered \(KnownResults.name(result)).")
                let answer = try registration.answer(to: id, "handle_url")
                try expect(answer == 0, "handle_url took a URL that is not the companion's.")
            }
        },
        ConformanceCase(
            "registration.long-url", .registration, "a URL above GLASSES_URL_MAX is refused with TOO_LARGE",
            needs: ["registration.url"]
        ) { run throws(CaseEnd) in
            let long = String(repeating: "x", count: Int(GLASSES_URL_MAX) + 1)
            let result = try RegistrationUnderTest.attached(run).open(long).result
            try expect(result == GLASSES_ERROR_TOO_LARGE, "handle_url answered \(KnownResults.name(result)).")
        },
        ConformanceCase(
            "registration.one-ending", .registration, "each accepted request ends exactly once",
            needs: ["registration.check", "registration.url"]
        ) { run throws(CaseEnd) in
            let registration = try RegistrationUnderTest.attached(run)
            _ = try registration.firstState()
            _ = registration.check(Int32(GLASSES_PERMISSION_CAMERA))
            _ = registration.open("https://example.org/")
            let transport = registration.transport
            for id in transport.accepted {
                _ = try transport.end(of: id, "A request", within: RegistrationUnderTest.Limit.answer)
            }
            Moment.pause(Endings.silence)
            try Endings.checkOnce(transport.accepted, transport.recorder.all)
        },
    ]
}

/// What a device tells of its condition and of its wearer.
enum ReportCases {
    static let power = [
        ConformanceCase(
            "power.report", .power,
            "on_power tells the condition within 3 s after CONNECTED, with values of version 1.0",
            needs: ["transport.connect"]
        ) { run throws(CaseEnd) in
            let transport = try TransportUnderTest.activated(run)
            try ReportsUnderTest.attachPower(transport)
            try transport.connect()
            let isTold = transport.recorder.wait(RegistrationUnderTest.Limit.firstReport) {
                $0.contains { if case .power = $0.kind { true } else { false } }
            }
            try expect(isTold, "on_power did not come within 3 s after CONNECTED.")
            for case .power(let text) in transport.recorder.all.map(\.kind) {
                guard let object = text.object else { throw .failed("A text of on_power is no JSON object.") }
                try PowerCheck.check(object)
            }
        }
    ]

    /// A gesture needs a wearer: what can be tried is that the host's side is taken, and what comes meanwhile.
    static let input = [
        ConformanceCase(
            "input.gestures", .input, "gestures are those of version 1.0, and come only while connected",
            needs: ["transport.disconnect"]
        ) { run throws(CaseEnd) in
            let transport = try TransportUnderTest.activated(run)
            try ReportsUnderTest.attachInput(transport)
            try transport.connect()
            Moment.pause(Endings.silence)
            try transport.disconnect()
            let known = Int32(GLASSES_GESTURE_TAP)...Int32(GLASSES_GESTURE_SWIPE_BACK)
            var isConnected = false
            for callback in transport.recorder.all {
                if case .state(let state, _) = callback.kind { isConnected = state == Int32(GLASSES_DEVICE_CONNECTED) }
                guard case .input(let gesture, _) = callback.kind else { continue }
                try expect(known.contains(gesture), "on_input came with the unknown gesture \(gesture).")
                try expect(isConnected, "on_input came while not connected.")
            }
        }
    ]
}
