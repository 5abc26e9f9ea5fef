/// Serializes a response as HTTP/1.1 (RFC 9112). The caller is responsible for valid fields: names
/// are tokens, values have no control characters.
package enum HTTP1ResponseWriter {
    /// The whole message of a response that is built once; the connection is closed after it.
    ///
    /// - Parameter headOnly: for HEAD: omits the body but keeps its Content-Length.
    package static func message(
        status: Int, fields: [HTTPField], body: [UInt8], headOnly: Bool
    ) -> [UInt8] {
        let length = HTTPField(name: "Content-Length", value: String(body.count))
        return head(status: status, fields: fields + [length], close: true)
            + (headOnly ? [] : body)
    }

    static func head(status: Int, fields: [HTTPField], close: Bool) -> [UInt8] {
        var text = statusLine(status)
        for field in fields { text += Array("\(field.name): \(field.value)\r\n".utf8) }
        if close { text += Array("Connection: close\r\n".utf8) }
        return text + Array("\r\n".utf8)
    }

    static func statusLine(_ status: Int) -> [UInt8] {
        Array("HTTP/1.1 \(status) \(reasonPhrase(status))\r\n".utf8)
    }

    /// The reason phrases of the statuses that this server sends (RFC 9110 section 15). Others have
    /// none, which RFC 9112 section 4 allows.
    static func reasonPhrase(_ status: Int) -> String {
        switch status {
        case 200: "OK"
        case 204: "No Content"
        case 301: "Moved Permanently"
        case 302: "Found"
        case 308: "Permanent Redirect"
        case 400: "Bad Request"
        case 401: "Unauthorized"
        case 403: "Forbidden"
        case 404: "Not Found"
        case 405: "Method Not Allowed"
        case 414: "URI Too Long"
        case 500: "Internal Server Error"
        case 503: "Service Unavailable"
        default: ""
        }
    }
}
