import Foundation
import OpenSSL

/// One app, extension or App Clip of a build that a test makes.
public struct MadeBundle: Sendable {
    public var path: String
    public var info: ListValue
    public var executable: MadeExecutable
    /// Nil: none.
    public var entitlements: ListValue?
    /// The DER form, where it is not made of the property list.
    public var der: [UInt8]?
    public var hasDER = true
    /// What the profile says; nil: no profile.
    public var profile: ListValue?
    /// In place of the signed profile.
    public var profileBytes: [UInt8]?
    public var hasExecutable = true
    public var isMac = false

    /// A bundle whose signature and profile agree.
    ///
    /// - Parameter kind: of its profile: `development`, `ad-hoc`, `enterprise` or `app-store`.
    public init(
        _ path: String, _ identifier: String, team: String = MadeBuild.team,
        domains: [String] = [], kind: String = "app-store", extra: [(String, ListValue)] = []
    ) {
        self.path = path
        let name = path.split(separator: "/").last?.split(separator: ".").first.map(String.init)
        info = [
            "CFBundleIdentifier": .text(identifier), "CFBundleExecutable": .text(name ?? "App"),
            "CFBundleShortVersionString": "1.2", "CFBundleVersion": "34",
        ]
        executable = MadeExecutable(identifier: identifier, team: team)
        var signed: ListValue = [
            "application-identifier": .text("\(team).\(identifier)"),
            "com.apple.developer.team-identifier": .text(team),
            "get-task-allow": .flag(kind == "development"),
            "keychain-access-groups": [.text("\(team).\(identifier)")],
        ]
        var allowed = signed
        allowed["keychain-access-groups"] = [.text("\(team).*")]
        if !domains.isEmpty {
            signed[MadeBuild.domainsKey] = .list(domains.map { .text($0) })
            allowed[MadeBuild.domainsKey] = "*"
        }
        for (key, value) in extra {
            signed[key] = value
            allowed[key] = value
        }
        entitlements = signed
        var profile: ListValue = [
            "Name": .text("\(kind) of \(identifier)"), "ApplicationIdentifierPrefix": [.text(team)],
            "TeamIdentifier": [.text(team)], "ExpirationDate": .date("2099-01-31T12:00:00Z"),
            "Entitlements": allowed,
        ]
        switch kind {
        case "enterprise": profile["ProvisionsAllDevices"] = true
        case "development", "ad-hoc": profile["ProvisionedDevices"] = ["00008030-000000000000001E"]
        default: break
        }
        self.profile = profile
    }

    /// Changes an entitlement of the signature; the profile stays.
    public mutating func sign(_ key: String, _ value: ListValue?) { entitlements?[key] = value }

    /// Changes what the profile allows; the signature stays.
    public mutating func allow(_ key: String, _ value: ListValue?) {
        guard var allowed = profile?["Entitlements"] else { return }
        allowed[key] = value
        profile?["Entitlements"] = allowed
    }

    /// The files, by their paths in the build.
    public func files(binaryInfo: Bool = true) throws -> [(String, [UInt8])] {
        let base = isMac ? path + "/Contents" : path
        let infoBytes = binaryInfo ? try info.binary : info.xml
        var files = [("\(base)/Info.plist", infoBytes)]
        if hasExecutable, case .text(let name) = info["CFBundleExecutable"] {
            var executable = executable
            executable.list = executable.list ?? entitlements?.xml
            executable.info = executable.info ?? infoBytes
            executable.der = hasDER ? der ?? entitlements?.der : nil
            files.append(("\(base)/\(isMac ? "MacOS/" : "")\(name)", executable.bytes))
        }
        let place = "\(base)/embedded.\(isMac ? "provisionprofile" : "mobileprovision")"
        if let profileBytes {
            files.append((place, profileBytes))
        } else if let profile {
            files.append((place, try MadeBuild.sign(profile.xml)))
        }
        return files
    }
}

/// A build that a test makes: what Xcode exports, in a few kilobytes.
public struct MadeBuild: Sendable {
    public static let team = "9JA89QQLNQ"
    public static let domainsKey = "com.apple.developer.associated-domains"
    /// The application identifier of ``shop(_:kind:)``.
    public static let app = "\(team).com.example.shop"

    /// Signs profiles; made once per run.
    static let signer: CertificatePair = {
        do {
            return try LocalAuthority.make(now: Int64(Date().timeIntervalSince1970)).pair
        } catch {
            fatalError("no key for profiles: \(error)")
        }
    }()

    /// The signed form of a profile.
    public static func sign(_ content: [UInt8]) throws -> [UInt8] {
        try CMSSigner.sign(content, with: signer)
    }

    public var bundles: [MadeBundle]
    public var binaryInfo = true

    public init(_ bundles: [MadeBundle]) { self.bundles = bundles }

    /// An app that is right.
    public static func shop(
        _ domains: [String] = ["applinks:example.com"], kind: String = "app-store"
    ) -> MadeBuild {
        MadeBuild([
            MadeBundle(
                "Payload/Shop.app", "com.example.shop", domains: domains, kind: kind)
        ])
    }

    /// The same with an App Clip, a widget and a watch app.
    public static func family(_ kind: String = "app-store") -> MadeBuild {
        let clip = "\(app).Clip"
        var app = MadeBundle(
            "Payload/Shop.app", "com.example.shop",
            domains: ["applinks:example.com", "appclips:example.com"], kind: kind,
            extra: [("com.apple.developer.associated-appclip-app-identifiers", [.text(clip)])])
        app.info["UIDeviceFamily"] = [1, 2]
        let appClip = MadeBundle(
            "Payload/Shop.app/AppClips/Clip.app", "com.example.shop.Clip",
            domains: ["appclips:example.com"], kind: kind,
            extra: [
                ("com.apple.developer.on-demand-install-capable", true),
                ("com.apple.developer.parent-application-identifiers", [.text(Self.app)]),
            ])
        let widget = MadeBundle(
            "Payload/Shop.app/PlugIns/Widget.appex", "com.example.shop.Widget", kind: kind)
        var watch = MadeBundle(
            "Payload/Shop.app/Watch/Watch.app", "com.example.shop.watchkitapp", kind: kind)
        watch.info["WKApplication"] = true
        watch.info["WKCompanionAppBundleIdentifier"] = "com.example.shop"
        return MadeBuild([app, appClip, widget, watch])
    }

    /// All files, by their paths in the build.
    public func files() throws -> [(String, [UInt8])] {
        try bundles.flatMap { try $0.files(binaryInfo: binaryInfo) }
    }

    /// The build as an archive.
    public func archive(method: Int = 8) throws -> MadeArchive {
        MadeArchive(try files().map { MadeArchive.File($0.0, $0.1, method: method) })
    }

    /// Writes the archive; returns its path.
    @discardableResult
    public func write(_ name: String, in folder: TemporaryFolder) throws -> String {
        try folder.write(name, try archive().bytes)
    }

    /// Writes the files into a folder; returns its path.
    @discardableResult
    public func writeFolder(_ name: String, in folder: TemporaryFolder) throws -> String {
        for (path, bytes) in try files() { try folder.write("\(name)/\(path)", bytes) }
        return folder.path(name)
    }
}
