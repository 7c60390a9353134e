import Foundation
import GlassesPluginKit
import MWDATDisplay

/// The toolkit's views for a tree of the host's; unknown kinds, names and fields are left out.
struct TreeViews: Sendable {
    /// What can stand at the root.
    enum Root {
        case box(FlexBox)
        case video(VideoPlayer)
    }

    /// Called with the id of a node that the wearer chooses.
    let select: @Sendable (String) -> Void

    /// The view of a whole tree; a leaf gets a column around it.
    func root(_ tree: PluginJSON) -> Root {
        if tree["kind"]?.text == "video" { return .video(VideoPlayer(provider: .uri(tree["url"]?.text ?? ""))) }
        if tree["kind"]?.text == "flexBox" { return .box(box(tree)) }
        let leaf = component(tree)
        return .box(FlexBox { if let leaf { leaf } })
    }

    private func component(_ node: PluginJSON) -> (any ViewComponent)? {
        let plain: (any ViewComponent)? =
            switch node["kind"]?.text {
            case "flexBox": box(node)
            case "text":
                Text(
                    node["text"]?.text ?? "", style: node.textStyle,
                    color: node.value("color", TextColor.self) ?? .primary)
            case "image":
                Image(
                    uri: node["url"]?.text ?? "", sizePreset: node.value("size", ImageSize.self) ?? .fill,
                    cornerRadius: node.value("cornerRadius", CornerRadius.self) ?? .none)
            case "button": button(node)
            case "icon": node.icon("name").map { Icon(name: $0, style: node.value("style", IconStyle.self) ?? .filled) }
            default: nil
            }
        guard let plain, let align = node.value("align", Alignment.self) else { return plain }
        return plain.alignSelf(align)
    }

    private func button(_ node: PluginJSON) -> Button {
        let (id, select) = (node["id"]?.text ?? "", select)
        return Button(
            label: node["text"]?.text ?? "", style: node.value("style", ButtonStyle.self) ?? .primary,
            iconName: node.icon("icon")
        ) { select(id) }
    }

    private func box(_ node: PluginJSON) -> FlexBox {
        let children = (node["children"]?.items ?? []).compactMap(component)
        let box = FlexBox(
            direction: node.value("direction", Direction.self) ?? .column, spacing: node["gap"]?.length ?? 0,
            alignment: node.value("mainAlign", Alignment.self) ?? .start,
            crossAlignment: node.value("crossAlign", Alignment.self) ?? .stretch, wrap: node["wrap"] == true,
            padding: node.padding
        ) { for child in children { child } }
        .background(node.value("background", Background.self) ?? .none)
        guard let id = node["id"]?.text else { return box }
        return box.onTap { [select] in select(id) }
    }
}

extension PluginJSON {
    fileprivate subscript(key: String) -> PluginJSON? {
        if case .object(let members) = self { members[key] } else { nil }
    }

    fileprivate var text: String? { if case .string(let text) = self { text } else { nil } }

    fileprivate var items: [PluginJSON]? { if case .array(let items) = self { items } else { nil } }

    /// A length that the panel can have.
    fileprivate var length: Double? {
        if case .number(let number) = self, (0...10_000).contains(number) { number } else { nil }
    }

    fileprivate func value<Value: RawRepresentable<String>>(_ key: String, _ type: Value.Type) -> Value? {
        self[key]?.text.flatMap(Value.init(rawValue:))
    }

    /// The vendor's word for a caption is another one.
    fileprivate var textStyle: TextStyle {
        self["style"]?.text == "caption" ? .meta : value("style", TextStyle.self) ?? .body
    }

    /// Icons are spelled in snake case, in capitals, or as Swift names.
    fileprivate func icon(_ key: String) -> IconName? {
        guard let name = self[key]?.text else { return nil }
        let plain = Self.plain(name)
        return IconName.allCases.first { Self.plain($0.rawValue) == plain }
    }

    private static func plain(_ name: String) -> String { name.lowercased().filter { $0 != "_" } }

    fileprivate var padding: EdgeInsets {
        let padding = self["padding"]
        return EdgeInsets(
            top: padding?["top"]?.length ?? 0, bottom: padding?["bottom"]?.length ?? 0,
            leading: padding?["left"]?.length ?? 0, trailing: padding?["right"]?.length ?? 0)
    }
}
