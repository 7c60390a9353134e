/// Looks whether Debian's packages are installed that the programs need at run time.
enum PackageCheckup {
    /// The packages of Scripts/setup's list for running.
    static let packages = [
        "libasound2", "libasound2-plugins", "libspeexdsp1", "libwebrtc-audio-processing1", "libpocketsphinx3",
        "pocketsphinx-en-us", "libflite1",
    ]

    static func run() async -> [Finding] {
        let arguments = ["-W", "-f=${Package} ${db:Status-Status}\n"] + packages
        switch await ProgramRun.output(of: "/usr/bin/dpkg-query", arguments) {
        case .success(let text): return [finding(dpkgOutput: text)]
        case .failure(let failure):
            return [
                Finding(
                    subject: "packages", level: .warning,
                    text: "\(failure.reason) Install the equivalents of: \(packages.joined(separator: ", ")).")
            ]
        }
    }

    /// Judges dpkg-query's lines of package and status.
    static func finding(dpkgOutput text: String) -> Finding {
        let installed = text.split(separator: "\n").compactMap { line -> String? in
            let words = line.split(separator: " ")
            return words.count == 2 && words[1] == "installed" ? String(words[0]) : nil
        }
        let missing = packages.filter { !installed.contains($0) }
        guard !missing.isEmpty else {
            return Finding(subject: "packages", level: .ok, text: "all \(packages.count) are installed")
        }
        return Finding(
            subject: "packages", level: .failed, text: "missing: \(missing.joined(separator: ", "))",
            command: "sudo apt-get install --no-install-recommends \(missing.joined(separator: " "))")
    }
}
