// swift-tools-version: 6.2
import PackageDescription

// A package of its own: libFuzzer brings the main function, so a normal build of these targets does not link.
// Scripts/fuzz builds and runs them.

let settings: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .unsafeFlags(["-parse-as-library"]),
]

let package = Package(
    name: "fuzz",
    dependencies: [.package(name: "extentos", path: "..")],
    targets: [
        .executableTarget(
            name: "FuzzWebSocket", dependencies: [.product(name: "GlassesWebSocket", package: "extentos")],
            swiftSettings: settings),
        .executableTarget(
            name: "FuzzRealtime", dependencies: [.product(name: "GlassesRealtime", package: "extentos")],
            swiftSettings: settings),
        .executableTarget(
            name: "FuzzUpgrade", dependencies: [.product(name: "GlassesWebSocket", package: "extentos")],
            swiftSettings: settings),
        .executableTarget(
            name: "FuzzPictures",
            dependencies: [
                .product(name: "GlassesMedia", package: "extentos"),
                .product(name: "GlassesDomain", package: "extentos"),
            ],
            swiftSettings: settings),
        .executableTarget(
            name: "FuzzPluginChild", dependencies: [.product(name: "GlassesPluginHost", package: "extentos")],
            swiftSettings: settings),
        .executableTarget(
            name: "FuzzLink", dependencies: [.product(name: "MWDATCore", package: "extentos")],
            swiftSettings: settings),
    ],
    swiftLanguageModes: [.v6]
)
