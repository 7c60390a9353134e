import Foundation
import Testing

@testable import MWDATCore

struct CallbackURLTests {
    private static let declined = Refusal(.companion, "The companion app refused (companion).", isRetryable: true)

    @Test(arguments: [
        ("myapp://?metaWearablesAction=register&authorityKey=k&constellationGroupId=g", CallbackURL.registration(nil)),
        ("MyApp://x?metaWearablesAction=register&authorityKey=k", .registration(nil)),
        ("myapp://?metaWearablesAction=register&error=companion", .registration(declined)),
        ("myapp://?metaWearablesAction=unregister", .unregistration(nil)),
        ("myapp://?metaWearablesAction=unregister&error=companion", .unregistration(declined)),
        ("myapp://?metaWearablesAction=permission&permission_granted=true", .permission(nil, .granted)),
        (
            "myapp://?metaWearablesAction=permission&permission=camera&permission_granted=false",
            .permission(.camera, .denied)
        ),
        ("myapp://?metaWearablesAction=permission", .permission(nil, .denied)),
        ("myapp://?metaWearablesAction=permission&error=companion", .permissionFailed(nil, declined)),
        (
            "myapp://?metaWearablesAction=permission&permission=camera&error=companion",
            .permissionFailed(.camera, declined)
        ),
        ("myapp://?metaWearablesAction=register&permission_granted=true", .permission(nil, .granted)),
        ("myapp://?metaWearablesAction=other&permission_granted=false", .permission(nil, .denied)),
        ("myapp://?metaWearablesAction=register&authorityKey=k&permission_granted=true", .registration(nil)),
        ("myapp://?metaWearablesAction=requestRegistration", .registrationRequest),
    ])
    func aURLOfTheCompanionIsRead(_ text: String, _ meaning: CallbackURL) throws {
        #expect(CallbackURL(try #require(URL(string: text)), scheme: "myapp://") == meaning)
    }

    @Test(arguments: [
        "myapp://", "myapp://?other=1", "myapp://?metaWearablesAction=", "myapp://?metaWearablesAction=dance",
        "other://?metaWearablesAction=register&authorityKey=k", "https://example.com/?metaWearablesAction=register",
        "myapp:?metaWearablesaction=register",
    ])
    func aURLOfTheAppsOwnIsLeftAlone(_ text: String) throws {
        #expect(CallbackURL(try #require(URL(string: text)), scheme: "myapp://") == nil)
    }

    @Test func aUniversalLinkCountsByItsBeginning() throws {
        let link = "https://example.com/glasses"
        let own = try #require(URL(string: "\(link)?metaWearablesAction=unregister"))
        let foreign = try #require(URL(string: "https://example.org/glasses?metaWearablesAction=unregister"))
        #expect(CallbackURL(own, scheme: link) == .unregistration(nil))
        #expect(CallbackURL(foreign, scheme: link) == nil)
    }

    @Test func aRegistrationWithoutATrustAnchorIsNoSuccess() throws {
        let url = try #require(URL(string: "myapp://?metaWearablesAction=register"))
        guard case .registration(let refusal?) = CallbackURL(url, scheme: "myapp://") else {
            Issue.record("it counts as a success")
            return
        }
        #expect(refusal.isRetryable)
    }

    @Test(arguments: [
        CallbackURL.registration(nil), .registration(declined), .unregistration(nil), .unregistration(declined),
        .permission(.microphone, .granted), .permission(.camera, .denied), .permission(nil, .granted),
        .permissionFailed(.camera, declined), .permissionFailed(nil, declined), .registrationRequest,
    ])
    func aWrittenURLReadsAsWhatItSays(_ meaning: CallbackURL) throws {
        let url = try #require(meaning.url(scheme: "myapp://", authorityKey: "a&b=ü", groupID: "g"))
        #expect(CallbackURL(url, scheme: "myapp://") == meaning)
    }
}
