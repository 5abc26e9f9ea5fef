import Testing

@testable import AASAStorm

@Suite struct StormPageTests {
    /// A host's name comes from the command line, and a page is sent to others.
    @Test func theTitleIsTextAndNothingIsLoaded() {
        let page = StormPage.html(title: "Storm: <script>a&b", body: "<main>x</main>")
        #expect(page.contains("<title>Storm: &lt;script&gt;a&amp;b</title>"))
        #expect(page.contains("<body>\n<main>x</main>\n</body>"))
        #expect(page.contains("default-src 'none'; style-src 'unsafe-inline'\">"))
        for reference in ["src=", "href=", "@import", "url("] {
            #expect(!page.contains(reference), "\(reference)")
        }
    }
}
