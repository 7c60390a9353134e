import Foundation

/// Where a machine keeps what profiles name.
public struct SandboxPlaces: Sendable, Hashable {
    /// The folder of device nodes. Default `/dev`.
    public var devices = "/dev"
    /// The home folder that `~/` in a permission stands for; nil without one.
    public var home: String?
    /// Folders that every plugin may read, such as those of downloaded models.
    public var readable: [String]

    /// These places.
    public init(home: String?, readable: [String] = []) {
        self.home = home
        self.readable = readable
    }

    /// The places of this machine: `HOME`, and the folders of speech engines: `EXTENTOS_ENGINES`, and `extentos/engines` in
    /// `XDG_DATA_HOME` or `~/.local/share`. (What packages install lies in `/usr/share`, which every plugin reads.)
    public static func standard(
        environment: [String: String] = ProcessInfo.processInfo.environment
    ) -> SandboxPlaces {
        let folder = { (name: String) in environment[name].flatMap { $0.hasPrefix("/") ? $0 : nil } }
        let home = folder("HOME")
        let data = folder("XDG_DATA_HOME") ?? home.map { $0 + "/.local/share" }
        let engines = [folder("EXTENTOS_ENGINES"), data.map { $0 + "/extentos/engines" }].compactMap { $0 }
        return SandboxPlaces(home: home, readable: engines)
    }

    /// The device nodes whose names begin with one of `prefixes` and end with `suffix`.
    func nodes(_ prefixes: [String], in folder: String = "", suffix: String = "") -> [String] {
        let folder = devices + folder
        return Self.names(in: folder).filter { name in
            name.hasSuffix(suffix) && prefixes.contains { name.hasPrefix($0) }
        }.map { folder + "/" + $0 }
    }

    /// The names in a folder, sorted; none for a folder that is not there or may not be listed, which offers nothing to let through.
    static func names(in folder: String) -> [String] {
        do { return try FileManager.default.contentsOfDirectory(atPath: folder).sorted() } catch { return [] }
    }
}
