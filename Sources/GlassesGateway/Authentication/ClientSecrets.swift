import Foundation
import GlassesDomain
import GlassesRealtime

/// Short-lived keys that the operator's backend asks for and hands to a browser or device.
///
/// Expiry bounds only the start of sessions; one secret may start many. Pure: the moments are arguments.
struct ClientSecrets {
    /// What a secret stands for.
    struct Grant: Sendable {
        /// Whose limits its sessions count against.
        let owner: Owner
        /// What its sessions are configured with before their client says anything; nil for nothing.
        let update: SessionUpdate?
        /// When it stops starting sessions, in seconds since 1970.
        let expiresAt: Int
    }

    /// Why no secret was made.
    enum Refusal: Error {
        /// Too many are valid at once.
        case full
    }

    static let prefix = "ek_"
    /// The seconds that a client may ask for.
    static let lifetimes = 10...7_200
    static let defaultLifetime = 600
    /// What the beta endpoint gives.
    static let legacyLifetime = 60
    /// The characters that a secret is looked up by; the others are compared in constant time.
    private static let lookupLength = 16

    private struct Entry {
        let secret: [UInt8]
        let grant: Grant
        let bytes: Int
    }

    private var entries: [String: Entry] = [:]
    private var bytes = 0

    /// Keeps a new secret; `random` are 24 bytes that nobody can guess.
    mutating func make(_ grant: Grant, random: [UInt8], now: Int) throws(Refusal) -> String {
        removeExpired(now: now)
        let size = grant.update.map { RealtimeCodec.encode(.sessionUpdate($0)).count } ?? 0
        guard entries.count < GatewayLimits.clientSecrets, bytes + size <= GatewayLimits.clientSecretBytes else {
            throw .full
        }
        let secret = Self.prefix + Self.tokenSafe(random)
        entries[Self.lookupKey(secret)] = Entry(secret: Array(secret.utf8), grant: grant, bytes: size)
        bytes += size
        return secret
    }

    /// What `secret` stands for; nil when it was never made or has expired.
    func grant(of secret: String, now: Int) -> Grant? {
        guard let entry = entries[Self.lookupKey(secret)],
            ConstantTime.areEqual(entry.secret, Array(secret.utf8)), now < entry.grant.expiresAt
        else { return nil }
        return entry.grant
    }

    private mutating func removeExpired(now: Int) {
        for (key, entry) in entries where entry.grant.expiresAt <= now {
            entries[key] = nil
            bytes -= entry.bytes
        }
    }

    private static func lookupKey(_ secret: String) -> String { String(secret.prefix(lookupLength)) }

    /// Base64url without padding: a subprotocol entry of a browser can carry it.
    private static func tokenSafe(_ bytes: [UInt8]) -> String {
        Data(bytes).base64EncodedString().replacingOccurrences(of: "+", with: "-")
            .replacingOccurrences(of: "/", with: "_").replacingOccurrences(of: "=", with: "")
    }
}
