import Glibc

/// Why a device could not be opened, or was lost.
struct StreamFailure: Error, Equatable {
    /// The kinds that a person has to tell apart.
    enum Kind: UInt8 {
        /// There is no device of that name.
        case missing = 1
        /// Somebody else has it.
        case busy
        /// We may not open it.
        case denied
        /// Its sound server does not answer the door.
        case unreachable
        /// It cannot deliver 48 kHz, 16 bits, mono, not even by conversion.
        case unsupported
        /// It did not answer in time.
        case timedOut
        /// A call to it did not come back.
        case hung
        /// It answers but moves no frames.
        case stalled
        /// It runs over or dry again and again.
        case xrunStorm
        /// It was there and is gone or failed.
        case failed
    }

    var kind: Kind
    /// ALSA's code, a negative errno value; 0 where none is known.
    var code: Int32 = 0

    /// The failure that an ALSA call's negative result means.
    init(alsa code: Int32) {
        self.code = code
        kind =
            switch -code {
            case ENOENT, ENODEV, ENXIO: .missing
            case EBUSY: .busy
            case EACCES, EPERM: .denied
            case ECONNREFUSED, ECONNRESET, EHOSTDOWN: .unreachable
            case ETIMEDOUT: .timedOut
            default: .failed
            }
    }

    init(_ kind: Kind, code: Int32 = 0) {
        self.kind = kind
        self.code = code
    }

    /// One word that an atomic can carry from an [audio] thread.
    var packed: UInt64 { UInt64(kind.rawValue) << 32 | UInt64(UInt32(bitPattern: code)) }

    /// The failure of ``packed``; nil for 0.
    init?(packed: UInt64) {
        guard let kind = Kind(rawValue: UInt8(truncatingIfNeeded: packed >> 32)) else { return nil }
        self.init(kind, code: Int32(bitPattern: UInt32(truncatingIfNeeded: packed)))
    }
}
