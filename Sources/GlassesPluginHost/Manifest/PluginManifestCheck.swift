import GlassesDomain

/// Holds a `plugin.json` against every rule, and says everything that is wrong with it, not only the first thing.
///
/// The rules are those of the reader that the host uses; what passes here is accepted there.
public struct PluginManifestCheck: Sendable, Hashable {
    /// The manifest; nil when there is an error.
    public let manifest: PluginManifest?
    /// What was found, in the order of the text.
    public let findings: [PluginManifestFinding]

    /// Checks the bytes of a file. `needsLibrary` is true for an installed plugin's folder, where the manifest names the library.
    public init(_ bytes: [UInt8], needsLibrary: Bool) {
        do throws(PluginManifestError) {
            guard case .object(let members) = try PluginManifestReader.parse(bytes) else { throw .notAnObject }
            var reader = PluginManifestReader(members: members)
            let read = reader.manifest(needsLibrary: needsLibrary)
            manifest = reader.errors.isEmpty ? read : nil
            findings = Self.findings(reader, read, bytes)
        } catch {
            manifest = nil
            findings = [
                PluginManifestFinding(
                    severity: .error, code: error.code, pointer: "", position: Self.position(of: error, in: bytes),
                    message: error.description)
            ]
        }
    }

    /// Where a text stops to be JSON; nil for every other error.
    private static func position(
        of error: PluginManifestError, in bytes: [UInt8]
    ) -> PluginManifestFinding.Position? {
        guard case .notJSON = error else { return nil }
        do {
            _ = try JSONValue(jsonText: bytes)
            return nil
        } catch {
            return PluginManifestFinding.Position(offset: error.offset, in: bytes)
        }
    }

    private typealias Unplaced = (PluginManifestFinding.Severity, code: String, pointer: String, message: String)

    /// What is asked for and cannot be given.
    private static func wishes(of manifest: PluginManifest) -> [Unplaced] {
        let wishes = PluginWishes(manifest)
        var found: [Unplaced] = []
        for (index, text) in manifest.permissions.enumerated() where wishes.unknown.contains(text) {
            let known = SandboxPermission.devices.map(\.text).joined(separator: ", ")
            let message = "No permission has this name, so it grants nothing. Known are \(known), files."
            found.append((.warning, "manifest_permission_unknown", "/permissions/\(index)", message))
        }
        for (index, name) in manifest.environment.enumerated() where wishes.withheld.contains(name) {
            let message = "No plugin gets this variable. Leave it out."
            found.append((.warning, "manifest_variable_withheld", "/environment/\(index)", message))
        }
        return found
    }

    private static func findings(
        _ reader: PluginManifestReader, _ read: PluginManifest, _ bytes: [UInt8]
    ) -> [PluginManifestFinding] {
        var found: [Unplaced] = []
        let map = JSONTextMap(bytes)
        for error in reader.errors { found.append((.error, error.code, reader.pointer(of: error), error.description)) }
        for pointer in map.duplicates {
            let message = "plugin.json has this key twice, and only the last one counts. Remove one."
            found.append((.warning, "manifest_key_twice", pointer, message))
        }
        for key in read.unknown.keys.sorted() where !PluginManifestReader.optionalKeys.contains(key) {
            let message = "This host does not know the key; it is kept and ignored. Check its spelling."
            found.append((.warning, "manifest_key_unknown", JSONTextMap.pointer(key), message))
        }
        found += wishes(of: read)
        let placed = found.map { entry in (map.offsets[entry.pointer] ?? map.offsets[""] ?? 0, entry) }
        return placed.sorted { $0.0 < $1.0 }.map { offset, entry in
            PluginManifestFinding(
                severity: entry.0, code: entry.code, pointer: entry.pointer,
                position: PluginManifestFinding.Position(offset: offset, in: bytes), message: entry.message)
        }
    }
}
