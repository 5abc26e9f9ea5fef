import TestSupport
import Testing

@testable import AASADevice

@Suite struct AccessPageTests {
    private static let login = "<html><title>Sign in to Example</title></html>"

    @Test(arguments: [
        (400, "400 No required SSL certificate was sent", "answer-client-certificate"),
        (403, "Error: the page wants a CLIENT CERTIFICATE", "answer-client-certificate"),
        (451, "", "answer-geo-block"),
        (
            403, "This page is not available in your country",
            "answer-geo-block"
        ),
        (403, "Error 1009", "answer-geo-block"), (511, "", "answer-login"),
        (401, login, "answer-login"), (400, login, "answer-login"), (499, login, "answer-login"),
        // A certificate is the better reason.
        (451, "client certificate", "answer-client-certificate"),
    ])
    func saysWhyNobodyGetsIn(status: Int, body: String, code: String) {
        expectEqual(AccessPage.kind(status, Array(body.utf8))?.0, code)
    }

    @Test(arguments: [
        (403, "Forbidden"), (450, ""), (452, ""), (510, ""), (512, ""), (500, login), (399, login),
        (401, "sign in"),
    ])
    func leavesTheRestToTheStatus(status: Int, body: String) {
        #expect(AccessPage.kind(status, Array(body.utf8)) == nil)
    }

    @Test(arguments: [
        ("<html><input type=\"password\">", true), ("<html><input type='password'>", true),
        ("<html><input type=password>", true), ("<html><INPUT TYPE=PASSWORD>", true),
        ("<html><title>Log in</title>", true), ("<html><title>Single Sign-On</title>", true),
        ("<html><title>Welcome</title><p>log in</p>", false), ("<html><p>log in</p>", false),
        ("{\"type=password\":1}", false), ("<html><title>Login", false),
        ("<html><input type=text>", false),
    ])
    func knowsALoginPage(body: String, isLogin: Bool) {
        expectEqual(AccessPage.isLogin(Array(body.utf8)), isLogin)
    }
}
