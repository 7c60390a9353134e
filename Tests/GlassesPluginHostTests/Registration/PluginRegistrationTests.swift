import Foundation
import GlassesDomain
import Testing

@testable import GlassesPluginHost

@Suite("The registration, the reports and the gestures of the C plugin, through the whole host")
struct PluginRegistrationTests {
    private func transport(
        _ isolation: PluginIsolation, companion: String = "none"
    ) async throws -> any GlassesTransport {
        let host = PluginHost(configuration: .test([buildFolder + "/libLoopbackTransport.so"], isolation: isolation))
        let result = await host.transport(
            id: "org.extentos.loopback", settings: ["companion": .string(companion), "reports": true])
        return try #require(result.success, "\(String(describing: result.failure))")
    }

    @Test("A companion that agrees registers the app and grants what is asked for", arguments: PluginIsolation.both)
    func isRegistered(_ isolation: PluginIsolation) async throws {
        let transport = try await transport(isolation, companion: "agrees")
        let registration = try #require(transport.registration)
        #expect(await registration.state() == .available)
        #expect(await registration.check(.camera).success == false)
        #expect(await registration.register().failure == nil)
        #expect(await registration.state() == .registered)
        #expect(await registration.request(.camera).success == true)
        #expect(await registration.check(.camera).success == true)
        #expect(await registration.check(.microphone).success == false)
        #expect(await registration.unregister().failure == nil)
        #expect(await registration.state() == .available)
        #expect(await registration.check(.camera).success == false)
        await transport.shutdown()
    }

    @Test(
        "A companion that refuses is an error for the registration and an answer for the permission",
        arguments: PluginIsolation.both)
    func isRefused(_ isolation: PluginIsolation) async throws {
        let transport = try await transport(isolation, companion: "refuses")
        let registration = try #require(transport.registration)
        #expect(await registration.register().failure == .permissionDenied)
        #expect(await registration.request(.camera).success == false)
        var reasons: [String] = []
        await transport.shutdown()
        for await event in transport.events {
            if case .registrationChanged(.available, let reason?) = event { reasons.append(reason) }
        }
        #expect(reasons == ["The virtual companion refused. Set it to agree."])
    }

    @Test(
        "The person's answer comes in a URL, and a URL of somebody else is left alone", arguments: PluginIsolation.both)
    func isAnsweredByURL(_ isolation: PluginIsolation) async throws {
        let transport = try await transport(isolation, companion: "asks")
        let registration = try #require(transport.registration)
        async let registered = registration.register()
        #expect(await eventually { await registration.state() == .registering })
        #expect(await registration.register().failure?.code == "request_in_progress")
        #expect(await transport.handleUrl("https://example.org/") == false)
        #expect(await registration.state() == .registering)
        #expect(await transport.handleUrl("loopback://answer?yes") == true)
        #expect(await registered.failure == nil)
        let granted = Collected<Bool?>()
        let asking = Task { granted.append(await registration.request(.camera).success) }
        // A no before the question has come answers nothing.
        let isAnswered = await eventually {
            _ = await transport.handleUrl("loopback://answer?no")
            return granted.all == [false]
        }
        #expect(isAnswered)
        await asking.value
        #expect(await transport.handleUrl(String(repeating: "x", count: 8_193)) == false)
        await transport.shutdown()
    }

    @Test("What waits for a person ends with the transport", arguments: PluginIsolation.both)
    func endsWithTheTransport(_ isolation: PluginIsolation) async throws {
        let transport = try await transport(isolation, companion: "asks")
        let registration = try #require(transport.registration)
        async let registered = registration.register()
        #expect(await eventually { await registration.state() == .registering })
        await transport.shutdown()
        #expect(await registered.failure?.code == "cancelled")
        #expect(await registration.register().failure != nil)
    }

    @Test("A killed child's registration is told anew, and what it was asked ends", arguments: ["agrees"])
    func survivesItsChild(_ companion: String) async throws {
        let transport = try await transport(.process, companion: companion)
        let registration = try #require(transport.registration)
        #expect(await registration.register().failure == nil)
        let child = try #require((transport as? PluginTransport)?.instance as? ChildTransport)
        kill(try #require(child.process), SIGKILL)
        // The virtual companion forgets with its process.
        #expect(await eventually(within: .seconds(30)) { await registration.state() == .available })
        #expect(await registration.register().failure == nil)
        await transport.shutdown()
    }

    @Test("What the device tells of itself and its wearer arrives as it was told", arguments: PluginIsolation.both)
    func reports(_ isolation: PluginIsolation) async throws {
        let transport = try await transport(isolation)
        #expect(transport.registration == nil)
        #expect(await transport.handleUrl("loopback://answer?yes") == false)
        _ = await transport.connect(deviceId: nil)
        var (powers, inputs): ([DevicePower], [DeviceInput]) = ([], [])
        await transport.shutdown()
        for await event in transport.events {
            switch event {
            case .powerChanged(let power): powers.append(power)
            case .inputReceived(let input): inputs.append(input)
            case .stateChanged, .errorEvent, .registrationChanged, .pairingCodeShown: break
            }
        }
        #expect(
            powers == [
                DevicePower(
                    battery: 80, charging: .notCharging, thermal: DevicePower.Thermal.none, hinges: .open, isWorn: true)
            ])
        #expect(inputs == [DeviceInput(.tap, control: "temple")])
    }
}

@Suite("What plugins tell of registrations, devices and gestures")
struct ReportChecksTests {
    private struct Heard {
        let monitor: CallMonitor
        let misbehaviours = Collected<PluginMisbehaviour.Kind>()
        let reports = Collected<TransportReport>()
        let callbacks: TransportCallbacks

        init() {
            let (misbehaviours, reports) = (misbehaviours, reports)
            monitor = CallMonitor(plugin: "p", checking: .maximal, policy: .ignore) { misbehaviours.append($0.kind) }
            callbacks = TransportCallbacks(monitor: monitor) { reports.append($0) }
        }
    }

    static let wrongPowers = [
        (#"{"battery":101}"#, "battery"), (#"{"battery":"full"}"#, "battery"), (#"{"charging":"no"}"#, "charging"),
        (#"{"thermal":7}"#, "thermal"), (#"{"hinges":"ajar"}"#, "hinges"), (#"{"worn":1}"#, "worn"),
    ]

    @Test("A condition that makes no sense is reported by its member and not delivered", arguments: wrongPowers)
    func checksPower(_ power: (text: String, member: String)) {
        let heard = Heard()
        heard.callbacks.powerChanged(CText(bytes: Array(power.text.utf8)))
        #expect(heard.misbehaviours.all == [.wrongFacts(member: power.member)])
        #expect(heard.reports.all.isEmpty)
    }

    @Test("What is unknown or absent in a condition is left out")
    func readsPower() {
        let heard = Heard()
        heard.callbacks.powerChanged(CText(bytes: Array(#"{"battery":7,"hinges":null,"org.example":[]}"#.utf8)))
        guard case .power(DevicePower(battery: 7))? = heard.reports.all.first else {
            Issue.record("\(heard.reports.all)")
            return
        }
        #expect(heard.misbehaviours.all.isEmpty)
    }

    @Test("Numbers that the ABI does not have are reported and not delivered")
    func checksNumbers() {
        let heard = Heard()
        heard.callbacks.registrationChanged(4, nil)
        heard.callbacks.inputReceived(0, 0, nil)
        heard.callbacks.permissionAnswered(1, 2)
        heard.callbacks.urlAnswered(1, -1)
        #expect(heard.misbehaviours.all == [.unknownValue(4), .unknownValue(0), .unknownValue(2), .unknownValue(-1)])
        #expect(heard.reports.all.isEmpty)
    }

    @Test("A pairing code reaches the app, and neither the log nor a description of it")
    func showsPairingCodes() async {
        let heard = Heard()
        let event = #"{"event":"pairing_code","code":"731 204","message":"Type it."}"#
        heard.callbacks.told(CText(bytes: Array(event.utf8)))
        guard case .pairingCode(let code)? = heard.reports.all.first else {
            Issue.record("\(heard.reports.all)")
            return
        }
        #expect(code.text == "731 204" && code.instruction == "Type it.")
        let logged = Collected<String>()
        let monitor = CallMonitor(plugin: "p", checking: .maximal, policy: .ignore) { logged.append("\($0)") }
        let inbox = TransportInbox(requests: RequestTable(monitor: monitor)) { logged.append($0) }
        inbox.receive(.pairingCode(code))
        inbox.finish()
        var shown: [PairingCode] = []
        for await event in inbox.events { if case .pairingCodeShown(let code) = event { shown.append(code) } }
        #expect(shown == [code])
        #expect(logged.all.isEmpty)
        var dumped = "\(code) \(String(reflecting: code)) \(Optional(code) as Any)"
        dump(code, to: &dumped)
        #expect(!dumped.contains("731"))
    }

    @Test(
        "A pairing code that nobody could type is reported and not delivered",
        arguments: [#""code":"""#, #""code":7"#, #""codes":"1""#, #""code":"\#(String(repeating: "1", count: 65))""#])
    func checksPairingCodes(_ member: String) {
        let heard = Heard()
        heard.callbacks.told(CText(bytes: Array(#"{"event":"pairing_code",\#(member)}"#.utf8)))
        #expect(heard.misbehaviours.all == [.wrongFacts(member: "code")])
        #expect(heard.reports.all.isEmpty)
    }

    @Test("An answer that nobody waits for is reported")
    func checksAnswers() {
        let misbehaviours = Collected<PluginMisbehaviour.Kind>()
        let monitor = CallMonitor(plugin: "p", checking: .maximal, policy: .ignore) { misbehaviours.append($0.kind) }
        let inbox = TransportInbox(requests: RequestTable(monitor: monitor)) { _ in }
        inbox.receive(.answered(7, true, function: "f"))
        #expect(misbehaviours.all == [.unknownRequest])
    }
}
