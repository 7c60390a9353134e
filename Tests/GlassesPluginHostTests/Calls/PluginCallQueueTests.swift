import Foundation
import GlassesDomain
import Testing

@testable import GlassesPluginHost

@Suite("Calls into a plugin never hold their caller")
struct PluginCallQueueTests {
    @Test("Calls run one after another, in the order in which they were made")
    func isSerial() async {
        let queue = PluginCallQueue(name: "test") { _, _ in }
        let order = Collected<Int>()
        for index in 0..<200 { queue.post("f", limit: .seconds(30)) { order.append(index) } }
        let answer = await queue.call("g", limit: .seconds(30)) { 7 }
        #expect(answer == .success(7))
        #expect(order.all == Array(0..<200))
    }

    @Test("A call that hangs, and all behind it, are answered at its limit; later ones at once")
    func survivesHangs() async {
        let hung = Collected<String>()
        let queue = PluginCallQueue(name: "test") { function, _ in hung.append(function) }
        let gate = DispatchSemaphore(value: 0)
        defer { gate.signal() }
        async let first = queue.call("hanging", limit: .milliseconds(50)) { gate.wait() }
        #expect(await first.isHung("hanging"))
        async let second = queue.call("second", limit: .seconds(60)) {}
        #expect(await second.isHung("hanging"))
        #expect(hung.all == ["hanging"])
    }

    @Test("Calls that wait behind a hanging one are answered with it")
    func answersTheWaiting() async {
        let queue = PluginCallQueue(name: "test") { _, _ in }
        let gate = DispatchSemaphore(value: 0)
        defer { gate.signal() }
        let abandoned = Collected<PluginCallError>()
        queue.post("hanging", limit: .milliseconds(50), abandoned: { abandoned.append($0) }) { gate.wait() }
        for _ in 0..<3 { queue.post("waiting", limit: .seconds(60), abandoned: { abandoned.append($0) }) {} }
        #expect(await eventually { abandoned.all.count == 4 })
        #expect(Set(abandoned.all) == [.hung(function: "hanging")])
    }

    @Test("A plugin that accepts nothing fills the queue to its bound and no further")
    func isBounded() async {
        let queue = PluginCallQueue(name: "test") { _, _ in }
        let gate = DispatchSemaphore(value: 0)
        let abandoned = Collected<PluginCallError>()
        queue.post("slow", limit: .seconds(60)) { gate.wait() }
        for _ in 0..<6_100 { queue.post("f", limit: .seconds(60), abandoned: { abandoned.append($0) }) {} }
        gate.signal()
        #expect(abandoned.all.count >= 100 && abandoned.all.count <= 101)
        #expect(abandoned.all.allSatisfy { $0 == .overloaded })
    }
}

extension Result where Success == Void, Failure == PluginCallError {
    fileprivate func isHung(_ function: String) -> Bool {
        if case .failure(let error) = self { error == .hung(function: function) } else { false }
    }
}
