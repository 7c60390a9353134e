// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "benchmarks",
    products: [.library(name: "BenchDevice", type: .dynamic, targets: ["BenchDevice"])],
    dependencies: [.package(name: "extentos", path: "..")],
    targets: [
        .executableTarget(
            name: "benchmarks",
            dependencies: [
                .product(name: "GlassesWebSocket", package: "extentos"),
                .product(name: "GlassesMedia", package: "extentos"),
                .product(name: "GlassesDomain", package: "extentos"),
                .product(name: "CTurboJPEG", package: "extentos"),
            ],
            swiftSettings: [
                .enableUpcomingFeature("ExistentialAny"),
                .enableUpcomingFeature("MemberImportVisibility"),
            ]),
        .target(
            name: "BenchDevice", dependencies: [.product(name: "CGlassesPlugin", package: "extentos")],
            resources: [.copy("plugin.json")], cSettings: [.define("_GNU_SOURCE")]),
        .executableTarget(
            name: "plugin-benchmarks",
            dependencies: [
                .product(name: "GlassesPluginHost", package: "extentos"),
                .product(name: "GlassesDomain", package: "extentos"),
            ],
            swiftSettings: [
                .enableUpcomingFeature("ExistentialAny"),
                .enableUpcomingFeature("MemberImportVisibility"),
            ]),
        .executableTarget(
            name: "camera-benchmarks",
            dependencies: [
                .product(name: "GlassesCore", package: "extentos"),
                .product(name: "GlassesPluginHost", package: "extentos"),
                .product(name: "GlassesDomain", package: "extentos"),
            ],
            swiftSettings: [
                .enableUpcomingFeature("ExistentialAny"),
                .enableUpcomingFeature("MemberImportVisibility"),
            ]),
    ],
    swiftLanguageModes: [.v6]
)
