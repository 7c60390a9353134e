extension DisplayNode: Codable {
    private enum Key: String, CodingKey { case kind, id }

    private enum Kind: String, Codable { case flexBox, text, button, buttonGroup, image, icon, video }

    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Key.self)
        id = try container.decodeIfPresent(String.self, forKey: .id)
        layout = try DisplayLayout(from: decoder)
        content =
            switch try container.decode(Kind.self, forKey: .kind) {
            case .flexBox: .flexBox(try DisplayFlexBox(from: decoder))
            case .text: .text(try DisplayText(from: decoder))
            case .button: .button(try DisplayButton(from: decoder))
            case .buttonGroup: .buttonGroup(try DisplayButtonGroup(from: decoder))
            case .image: .image(try DisplayImage(from: decoder))
            case .icon: .icon(try DisplayIcon(from: decoder))
            case .video: .video(try DisplayVideo(from: decoder))
            }
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encodeIfPresent(id, forKey: .id)
        try layout.encode(to: encoder)
        let (kind, payload): (Kind, any Encodable) =
            switch content {
            case .flexBox(let payload): (.flexBox, payload)
            case .text(let payload): (.text, payload)
            case .button(let payload): (.button, payload)
            case .buttonGroup(let payload): (.buttonGroup, payload)
            case .image(let payload): (.image, payload)
            case .icon(let payload): (.icon, payload)
            case .video(let payload): (.video, payload)
            }
        try container.encode(kind, forKey: .kind)
        try payload.encode(to: encoder)
    }
}
