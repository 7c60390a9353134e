// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "HummingDevice",
    products: [.library(name: "HummingDevice", type: .dynamic, targets: ["HummingDevice"])],
    dependencies: [.package(name: "extentos", path: "../..")],
    targets: [
        .target(
            name: "HummingDevice",
            dependencies: [
                .product(name: "GlassesPluginKit", package: "extentos"),
                .product(name: "CGlassesPlugin", package: "extentos"),
            ],
            resources: [.copy("plugin.json")],
            // Nothing but the entry is exported.
            linkerSettings: [
                .unsafeFlags(["-Xlinker", "--version-script=\(Context.packageDirectory)/exports.map"])
            ])
    ]
)
