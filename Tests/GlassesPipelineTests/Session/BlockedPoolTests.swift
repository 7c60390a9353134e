import BlockedPool
import Dispatch
import GlassesDomain
import GlassesRealtime
import Testing

@testable import GlassesPipeline

/// An app that blocks all of Swift's shared pool.
@Suite struct BlockedPoolTests {
    @Test(.timeLimit(.minutes(1)))
    func aSessionWithThreadsOfItsOwnHearsAndAnswersWhileThePoolIsBlocked() async {
        await #expect(processExitsWith: .success) {
            BlockedPool.run(within: .seconds(20)) {
                let engines = PipelineEngines(
                    recognizer: FakeRecognizer(.words("take a picture")), synthesizer: FakeSynthesizer(),
                    brain: FakeBrain.echo)
                let connector = PipelineConnector.make(
                    engines: engines, clock: ManualClock().port, executor: QueueThreads())
                let client = TestClient(connection: try await connector.connect(RealtimeRequest()))
                client.speak()
                let response = try await client.nextResponse()
                guard case .message(let message) = response.output.first?.body,
                    message.content == [.outputAudio(audio: nil, transcript: "You said take a picture.")]
                else { throw TestClient.Missing(type: "the answer", seen: client.events.map(\.type)) }
            }
        }
    }
}

/// Threads that no code of an app blocks.
private final class QueueThreads: TaskExecutor {
    private let queue = DispatchQueue(label: "session", attributes: .concurrent)

    func enqueue(_ job: consuming ExecutorJob) {
        let unowned = UnownedJob(job)
        queue.async { [self] in unowned.runSynchronously(on: asUnownedTaskExecutor()) }
    }
}
