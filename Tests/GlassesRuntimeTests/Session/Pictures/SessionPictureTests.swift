import Foundation
import GlassesDomain
import GlassesRealtime
import GlassesTesting
import Synchronization
import Testing

@testable import GlassesRuntime

@Suite struct SessionPictureTests {
    private static let jpeg = Data([0xFF, 0xD8, 0xFF, 0xE0, 1, 2, 3])
    private static let url = "data:image/jpeg;base64," + jpeg.base64EncodedString()

    private static func harness(
        model: String = "script", pictures: PictureTreatment = .seen,
        coder: ScriptedCoder = ScriptedCoder { file, _, _ in file }
    ) -> SessionHarness {
        let files = PictureFilePort { (path, _) throws(PictureFileError) in
            guard path == "/photo.jpg" else { throw .notFound }
            return jpeg
        }
        return SessionHarness(
            logLevel: .debug, provider: ScriptedProvider(model: model, pictures: pictures),
            pictureFiles: files, pictureCoder: coder)
    }

    /// The pictures' items that the provider was given on a connection.
    private static func items(_ connection: ScriptedConnection?) -> [ConversationItem] {
        (connection?.sent ?? []).compactMap { event in
            guard case .conversationItemCreate(let creation) = event, case .message(let message) = creation.item.body,
                message.content.contains(where: { if case .inputImage = $0 { true } else { false } })
            else { return nil }
            return creation.item
        }
    }

    private static func acknowledge(_ harness: SessionHarness, _ item: ConversationItem) {
        harness.connection?.say(.conversationItemAdded(ItemPlacement(item: item, previousItemId: nil)))
    }

    /// Shows the photo and waits until the provider has taken it.
    private static func show(_ harness: SessionHarness, _ session: any AssistantSession, prompt: String?) async throws {
        let before = items(harness.connection).count
        async let call: Void = session.includeImage(uri: "/photo.jpg", prompt: prompt)
        await eventually("the picture is sent") { items(harness.connection).count == before + 1 }
        if let item = items(harness.connection).last { acknowledge(harness, item) }
        try await call
    }

    @Test func aFileReachesTheProviderAsADataURLWithItsPrompt() async throws {
        let harness = Self.harness()
        let session = try await harness.awake()
        try await Self.show(harness, session, prompt: "What is it?")
        #expect(
            Self.items(harness.connection).map(\.body) == [
                .message(
                    MessageItem(
                        role: .user, content: [.inputText("What is it?"), .inputImage(url: Self.url, detail: nil)]))
            ])
        #expect(harness.responseRequests == 0)
        await session.stop()
    }

    @Test func anUnreadablePathIsAnEventAndAnErrorOfTheCallAndNothingIsSent() async throws {
        let harness = Self.harness()
        let session = try await harness.awake()
        await #expect { try await session.includeImage(uri: "/no/such.jpg", prompt: nil) } throws: { error in
            guard case AssistantError.providerError(let code, _) = error else { return false }
            return code == "include_image_unsupported_uri"
        }
        await eventually("the event comes") {
            harness.events.contains { if case .error("include_image_unsupported_uri", _) = $0 { true } else { false } }
        }
        #expect(Self.items(harness.connection).isEmpty)
        try await Self.show(harness, session, prompt: nil)
        await session.stop()
    }

    @Test func aThirdPictureReplacesTheFirstAtTheProviderAndAReconnectSendsTheNewestTwo() async throws {
        let harness = Self.harness()
        let session = try await harness.awake()
        for _ in 0..<3 { try await Self.show(harness, session, prompt: nil) }
        let sent = Self.items(harness.connection)
        let first = harness.connection
        await eventually("the first is deleted") {
            first?.sent.contains(.conversationItemDelete(itemId: sent[0].id ?? "")) == true
        }
        harness.dropConnection()
        await harness.run(.seconds(5)) { harness.provider.connections.count == 2 }
        await eventually("the replay comes") { Self.items(harness.connection).count == 2 }
        #expect(Self.items(harness.connection).map(\.id) == sent.dropFirst().map(\.id))
        await session.stop()
    }

    @Test func stopDuringScalingEndsTheCallAtOnce() async throws {
        let (entered, gate) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        let coder = ScriptedCoder { file, _, _ in
            entered.signal()
            gate.wait()
            return file
        }
        let harness = Self.harness(coder: coder)
        let session = try await harness.awake()
        let call = Task { try await session.includeImage(uri: "/photo.jpg", prompt: nil) }
        await eventually("scaling begins") { entered.wait(timeout: .now()) == .success }
        await session.stop()
        await #expect(throws: AssistantError.self) { try await call.value }
        gate.signal()
        #expect(Self.items(harness.connection).isEmpty)
    }

    @Test func noPictureIsInALogLineOrAnEvent() async throws {
        let harness = Self.harness(pictures: .measured)
        let session = try await harness.awake()
        try await Self.show(harness, session, prompt: nil)
        await eventually("the app is told") {
            harness.events.contains { if case .error("vision_unsupported", _) = $0 { true } else { false } }
        }
        #expect(!(harness.logLines + harness.events.map { "\($0)" }).contains { $0.contains("base64") })
        await session.stop()
    }

    @Test func aLinkIsRefusedWherePicturesStayOnThisMachine() async throws {
        let harness = Self.harness(pictures: .measured)
        let session = try await harness.awake()
        await #expect(throws: AssistantError.self) {
            try await session.includeImage(uri: "https://example.org/a.jpg", prompt: nil)
        }
        #expect(Self.items(harness.connection).isEmpty)
        await session.stop()
    }

    @Test func framesReachAModelThatSeesVideo() async throws {
        let harness = Self.harness(model: "gemini-3.1-flash-live-preview")
        let session = try await harness.awake()
        #expect(session.modelSupportsVideoInput)
        try await session.sendVideoFrame(Self.jpeg)
        #expect(
            Self.items(harness.connection).map(\.body) == [
                .message(MessageItem(role: .user, content: [.inputImage(url: Self.url, detail: "low")]))
            ])
        await session.stop()
        await #expect(throws: AssistantError.self) { try await session.sendVideoFrame(Self.jpeg) }
    }

    @Test func framesForAnotherModelAreDroppedAndTold() async throws {
        let harness = Self.harness()
        let session = try await harness.awake()
        #expect(!session.modelSupportsVideoInput)
        for _ in 0..<3 { try await session.sendVideoFrame(Self.jpeg) }
        await eventually("the app is told") {
            harness.events.contains { if case .error("video_input_unsupported", _) = $0 { true } else { false } }
        }
        #expect(Self.items(harness.connection).isEmpty)
        await session.stop()
    }
}
