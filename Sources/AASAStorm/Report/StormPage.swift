import Texts

/// A self-contained page of a storm: no external resources, no scripts; dark or light as the
/// reader's system.
enum StormPage {
    /// - Parameters:
    ///   - title: as text.
    ///   - body: as HTML.
    static func html(title: String, body: String) -> String {
        """
        <!doctype html>
        <html lang="en">
        <head>
        <meta charset="utf-8">
        <meta name="viewport" content="width=device-width, initial-scale=1">
        <meta http-equiv="Content-Security-Policy" \
        content="default-src 'none'; style-src 'unsafe-inline'">
        <title>\(HTMLText.escaped(title))</title>
        <style>\(Text.stormStyle.string)</style>
        </head>
        <body>
        \(body)
        </body>
        </html>

        """
    }
}
