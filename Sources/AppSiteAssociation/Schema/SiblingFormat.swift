/// The formats of the documents beside the association file.
public enum SiblingFormat {
    /// Android's `assetlinks.json` (Google, *Digital Asset Links: Creating a Statement List*).
    public static let assetLinks = DocumentFormat(named: "assetlinks.json")

    /// `/.well-known/webauthn` (W3C, *Web Authentication* level 3, 5.11).
    public static let webAuthn = DocumentFormat(named: "webauthn")

    /// `/.well-known/passkey-endpoints` (W3C, *Passkey Endpoints Well-Known URL*).
    static let passkeyEndpoints = DocumentFormat(named: "passkey-endpoints")
}
