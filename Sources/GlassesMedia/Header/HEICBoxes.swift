import GlassesDomain

/// The boxes of a HEIC file (ISO/IEC 23008-12): the size and the rotation are properties of its primary item.
enum HEICBoxes {
    private struct Box {
        var content: ByteReader
        var range: Range<Int>
    }

    private static let brands: [StaticString] = ["heic", "heix", "heim", "heis", "hevc", "hevx"]

    /// What the primary item's properties say; nil for other files of the same family.
    static func facts(of file: ByteReader) -> PictureFacts? {
        guard let types = box("ftyp", in: file), isHEIC(types), let meta = box("meta", in: file)?.rest(from: 4),
            let item = primaryItem(in: meta), let properties = box("iprp", in: meta),
            let values = box("ipco", in: properties), let links = box("ipma", in: properties)
        else { return nil }
        let numbers = propertyNumbers(of: item, in: links)
        let own = boxes(in: values).enumerated().filter { numbers.contains($0.offset + 1) }.map(\.element)
        guard let size = own.first(where: { values.has("ispe", at: $0.range.lowerBound + 4) })?.content,
            let width = size.big(4, 4), let height = size.big(8, 4)
        else { return nil }
        let turn = own.first { values.has("irot", at: $0.range.lowerBound + 4) }?.content.big(0, 1) ?? 0
        // The file tells quarters against the clock.
        return PictureFacts(mimeType: "image/heic", width: width, height: height, rotation: (4 - turn & 3) % 4 * 90)
    }

    private static func isHEIC(_ types: ByteReader) -> Bool {
        stride(from: 0, to: types.count, by: 4).contains { offset in
            offset != 4 && brands.contains { types.has($0, at: offset) }
        }
    }

    private static func primaryItem(in meta: ByteReader) -> Int? {
        box("pitm", in: meta).flatMap { box in
            box.big(0, 1).flatMap { version in box.big(4, version == 0 ? 2 : 4) }
        }
    }

    /// The numbers, from 1, of the properties that an item has.
    private static func propertyNumbers(of item: Int, in links: ByteReader) -> Set<Int> {
        guard let version = links.big(0, 1), let flags = links.big(1, 3), let entries = links.big(4, 4) else {
            return []
        }
        let (itemSize, numberSize) = (version == 0 ? 2 : 4, flags & 1 == 1 ? 2 : 1)
        var offset = 8
        for _ in 0..<entries {
            guard let entry = links.big(offset, itemSize), let count = links.big(offset + itemSize, 1) else {
                return []
            }
            offset += itemSize + 1
            if entry == item {
                let numbers = (0..<count).compactMap { links.big(offset + $0 * numberSize, numberSize) }
                // The highest bit says that a reader has to know the property.
                return Set(numbers.map { $0 & (numberSize == 2 ? 0x7FFF : 0x7F) })
            }
            offset += count * numberSize
        }
        return []
    }

    private static func box(_ name: StaticString, in parent: ByteReader) -> ByteReader? {
        boxes(in: parent).first { parent.has(name, at: $0.range.lowerBound + 4) }?.content
    }

    /// The boxes one after the other, up to the first that does not fit.
    private static func boxes(in parent: ByteReader) -> [Box] {
        var boxes: [Box] = []
        var offset = 0
        while let short = parent.big(offset, 4) {
            let long = short == 1 ? parent.big(offset + 8, 8) : nil
            let head = long == nil ? 8 : 16
            let size = long ?? (short == 0 ? parent.count - offset : short)
            guard size >= head, let content = parent.part(offset + head, size - head) else { break }
            boxes.append(Box(content: content, range: offset..<(offset + size)))
            offset += size
        }
        return boxes
    }
}
