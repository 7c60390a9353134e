import Foundation
import GlassesDomain
import GlassesPluginHost
import Synchronization

/// How long a camera is dark when its child is killed.
enum Restarts {
    /// Far enough apart that no death counts.
    private static let pause = Duration.milliseconds(5_200)
    private static let limit = Duration.milliseconds(800)

    /// From SIGKILL to the first frame of the next child, in milliseconds.
    static func run(_ plugin: String, count: Int) async -> [Double] {
        guard let transport = await BenchHost.connect(await BenchHost.scanned(plugin, .process)) else { return [] }
        let state = Mutex<(kill: Int64?, first: Int64?)>((nil, nil))
        let isOpen = await BenchStream.camera30.open(transport) { delivery in
            state.withLock { state in
                guard let kill = state.kill, state.first == nil, delivery.handedOver > kill, delivery.isRight else {
                    return
                }
                state.first = delivery.arrived
            }
        }
        guard isOpen else { return [] }
        var times: [Double] = []
        for _ in 0..<count {
            do { try await Task.sleep(for: pause) } catch { break }
            guard let child = BenchHost.children().first else { break }
            state.withLock { $0 = (MonotonicClock.now(), nil) }
            kill(child, SIGKILL)
            do { try await Task.sleep(for: limit) } catch { break }
            let (kill, first) = state.withLock { $0 }
            if let kill, let first { times.append(Double(first - kill) / 1e6) }
        }
        await transport.shutdown()
        return times
    }
}
