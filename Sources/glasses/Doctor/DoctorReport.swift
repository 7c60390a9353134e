import GlassesCore
import GlassesDomain
import Synchronization

/// Tells findings as they come, and the verdict at the end.
final class DoctorReport: Sendable {
    private let findings = Mutex<[Finding]>([])
    private let console: Console
    private let isJSON: Bool

    init(console: Console, isJSON: Bool) {
        self.console = console
        self.isJSON = isJSON
    }

    /// Tells a finding.
    func tell(_ finding: Finding) {
        findings.withLock { $0.append(finding) }
        if !isJSON { console.print(finding.line(console)) }
    }

    /// Tells where audio goes and whether all is well, and answers how the program ends.
    func conclude(destination: AudioDestination, isReached: Bool) -> ExitStatus {
        let findings = findings.withLock { $0 }
        let isWell = findings.allSatisfy { $0.level != .failed }
        if isJSON {
            console.print(
                JSONValue.object([
                    "ok": .bool(isWell), "checks": .array(findings.map(\.json)),
                    "audioDestination": .string(destination.sentence),
                ]).jsonText)
        } else {
            console.print("")
            console.print(destination.sentence)
            console.print(verdict(isWell: isWell, isReached: isReached))
        }
        return isWell ? .ok : isReached ? .unavailable : .gateway
    }

    private func verdict(isWell: Bool, isReached: Bool) -> String {
        if isWell { return "All is well." }
        return isReached
            ? "Something is missing: run the commands above, then this one again."
            : "The gateway cannot be used: mend what failed above, then run this again."
    }
}
