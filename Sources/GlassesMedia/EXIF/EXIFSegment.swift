import Foundation

/// JPEG's segment with the orientation and, when known, the time of the exposure.
struct EXIFSegment: Equatable {
    /// The segment with its marker and length.
    let bytes: [UInt8]

    /// A segment; `rotation` is in clockwise degrees that turn the picture upright. A time outside the years 1–9999 is left out.
    init(rotation: Int, takenAt: Date?, timeZone: TimeZone) {
        let orientation = TIFFEntry(tag: 0x0112, short: UInt16(EXIFOrientation.number(for: rotation)))
        let time = takenAt.flatMap { EXIFTime($0, in: timeZone) }
        let block = time.map { time in
            TIFFBlock.bytes(
                [orientation, TIFFEntry(tag: 0x0132, text: time.dateTime)],
                exif: [
                    TIFFEntry(tag: 0x9000, raw: Array("0232".utf8)),
                    TIFFEntry(tag: 0x9003, text: time.dateTime),
                    TIFFEntry(tag: 0x9010, text: time.offset),
                    TIFFEntry(tag: 0x9011, text: time.offset),
                    TIFFEntry(tag: 0x9291, text: time.milliseconds),
                ])
        }
        let content = Array("Exif\0\0".utf8) + (block ?? TIFFBlock.bytes([orientation], exif: []))
        let length = content.count + 2
        bytes = [0xFF, 0xE1, UInt8(length >> 8), UInt8(length & 0xFF)] + content
    }
}

/// A moment in the spelling of EXIF.
struct EXIFTime: Equatable {
    /// `2026:11:30 16:28:08`, in local time.
    var dateTime: String
    /// `+02:00`
    var offset: String
    /// Three digits.
    var milliseconds: String

    init?(_ date: Date, in timeZone: TimeZone) {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = timeZone
        let moment = (date.timeIntervalSince1970 * 1_000).rounded()
        // The years 1 to 9999, and no infinity.
        guard moment > -62_135_596_800_000 + 86_400_000, moment < 253_402_300_800_000 - 86_400_000 else { return nil }
        let second = (moment / 1_000).rounded(.down)
        let wholeSecond = Date(timeIntervalSince1970: second)
        let fields = calendar.dateComponents([.year, .month, .day, .hour, .minute, .second], from: wholeSecond)
        guard let year = fields.year, let month = fields.month, let day = fields.day, let hour = fields.hour,
            let minute = fields.minute, let seconds = fields.second
        else { return nil }
        func digits(_ number: Int, _ count: Int) -> String {
            String(repeating: "0", count: max(0, count - String(number).count)) + String(number)
        }
        let minutes = timeZone.secondsFromGMT(for: date) / 60
        dateTime = [digits(year, 4), digits(month, 2), digits(day, 2)].joined(separator: ":") + " "
        dateTime += [digits(hour, 2), digits(minute, 2), digits(seconds, 2)].joined(separator: ":")
        offset = (minutes < 0 ? "-" : "+") + digits(abs(minutes) / 60, 2) + ":" + digits(abs(minutes) % 60, 2)
        milliseconds = digits(Int(moment - second * 1_000), 3)
    }
}
