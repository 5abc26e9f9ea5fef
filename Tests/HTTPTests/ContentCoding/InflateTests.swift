import Foundation
import HTTP
import TestSupport
import Testing

/// What Python's zlib compressed in each way comes out again; what is damaged does not.
@Suite struct InflateTests {
    private static func bytes(_ base64: String) -> [UInt8] {
        Array(Data(base64Encoded: base64) ?? Data())
    }

    private static let document = Array(
        """
        {"applinks":{"details":[{"appIDs":["D3KQX62K1A.com.example.app"],\
        "components":[{"/":"/buy/*"}]}]}}
        """.utf8)

    private static let mixed = bytes(
        "L2hlbHAvKmJ1eSV7Ii8iOh1idXkiZXhjbHVkZSJidXlidXlidXkvaGVscC8qH2J1eWJ1eXsiLyI6L2hlbHAv"
            + "KjydYnV5eyIvIjoxIB4iZXhjbHVkZSJ7Ii8iOu57Ii8iOi9oZWxwLyovaGVscC8qKZl7Ii8iOnsiLyI6YnV5"
            + "L2hlbHAvKi9oZWxwLyoiZXhjbHVkZSJidXl7Ii8iOrP+YnV5eyIvIjpidXl7Ii8iOnsiLyI6eyIvIjoiZXhj"
            + "bHVkZSIvaGVscC8qImV4Y2x1ZGUiL2hlbHAvKi9oZWxwLyoiZXhjbHVkZSIiZXhjbHVkZSIvaGVscC8qImV4"
            + "Y2x1ZGUiL2hlbHAvKtwiZXhjbHVkZSIiZXhjbHVkZSIvaGVscC8qL2hlbHAvKi9oZWxwLypidXn4eyIvIjpi"
            + "dXkiZXhjbHVkZSK9L2hlbHAvKiJleGNsdWRlIiJleGNsdWRlIiJleGNsdWRlIiJleGNsdWRlImJ1eWJ1eSJl"
            + "eGNsdWRlImJ1ea5idXkATXsiLyI6YnV5ai9oZWxwLyp7Ii8iOiJleGNsdWRlImJ1eSJleGNsdWRlIiJleGNs"
            + "dWRlImJ1eWJ1eXsiLyI6L2hlbHAvKi9oZWxwLyovaGVscC8qDWJ1eYUvaGVscC8qL2hlbHAvKi9oZWxwLyov"
            + "aGVscC8qL2hlbHAvKmZ7Ii8iOmJ1eSJleGNsdWRlIi9oZWxwLyoiZXhjbHVkZSJ7Ii8iOi9oZWxwLyovaGVs"
            + "cC8qL2hlbHAvKi9oZWxwLyr3ImV4Y2x1ZGUiYnV5ImV4Y2x1ZGUiImV4Y2x1ZGUiImV4Y2x1ZGUiYnV5ImV4"
            + "Y2x1ZGUiYnV5L2hlbHAvKmJ1eU0vaGVscC8qeyIvIjpPYnV5YnV5ImV4Y2x1ZGUiL2hlbHAvKnsiLyI6eyIv"
            + "Ijp7eyIvIjovaGVscC8qeyIvIjrq10JNImV4Y2x1ZGUiXS9oZWxwLyovaGVscC8q8j17Ii8iOmJ1eS9oZWxw"
            + "Lyp7Ii8iOmJ1eedidXl7Ii8iOnsiLyI65/R+hCJleGNsdWRlIiJleGNsdWRlIiJleGNsdWRlInsiLyI6L2hl"
            + "bHAvKmJ1eXsiLyI6L2hlbHAvKi9oZWxwLyovaGVscC8qL2hlbHAvKiJleGNsdWRlIi9oZWxwLyovaGVscC8q"
            + "3HsiLyI6L2hlbHAvKnsiLyI6eyIvIjp7Ii8iOiJleGNsdWRlIiJleGNsdWRlIqmXYnV5YnV5eyIvIjpidXl7"
            + "Ii8iOiJleGNsdWRlIiJleGNsdWRlIkx7Ii8iOnsiLyI6L2hlbHAvKmJ1eWJ1eXsiLyI6KmJ1eWJ1eWJ1ea17"
            + "Ii8iOmJ1eWJ1eXsiLyI6L2hlbHAvKnsiLyI6nHsiLyI65HsiLyI6YnV5YnV5YnV5YS9oZWxwLypidXkiZXhj"
            + "bHVkZSLJL2hlbHAvKnsiLyI6L2hlbHAvKnsiLyI6L2hlbHAvKmJ1eSJleGNsdWRlImJ1eSJleGNsdWRlIpB7"
            + "Ii8iOiJleGNsdWRlIi9oZWxwLyoiZXhjbHVkZSJ7Ii8iOnsiLyI6L2hlbHAvKnsiLyI6eyIvIjpidXkiZXhj"
            + "bHVkZSIiZXhjbHVkZSKOL2hlbHAvKmJ1eWJ1eSJleGNsdWRlIiJleGNsdWRlInsiLyI6L2hlbHAvKitPeyIv"
            + "IjovaGVscC8qkWJ1edtHCGJ1eWJ1eXsiLyI6ImV4Y2x1ZGUi52J1eSJleGNsdWRlImJ1eWJ1eS8iZXhjbHVk"
            + "ZSJidXkvaGVscC8qL2hlbHAvKiJleGNsdWRlImJ1eXsiLyI6F2J1eXsiLyI6eyIvIjpidXlidXl7Ii8iOi9o"
            + "ZWxwLyp7Ii8iOiJleGNsdWRlIiJleGNsdWRlIjx7Ii8iOiJleGNsdWRlInsiLyI6YnV5eyIvIjovaGVscC8q"
            + "YnV5L2hlbHAvKnsiLyI6Q2J1eS9oZWxwLyoiZXhjbHVkZSJidXlidXkiZXhjbHVkZSJ7Ii8iOiJleGNsdWRl"
            + "IiJleGNsdWRlImJ1eWJ1eXsiLyI6YnV5YnV5eyIvIjpidXkiZXhjbHVkZSJ7Ii8iOnsiLyI6eyIvIjpidXkv"
            + "aGVscC8qeyIvIjrfL2hlbHAvKiJleGNsdWRlIiJleGNsdWRlImJ1eSJleGNsdWRlIuZ7Ii8iOmJ1eS9oZWxw"
            + "LyoiZXhjbHVkZSJ7Ii8iOnsiLyI6ImV4Y2x1ZGUieyIvIjr3YnV5L2hlbHAvKi9oZWxwLyr+ImV4Y2x1ZGUi"
            + "ImV4Y2x1ZGUiL2hlbHAvKi9oZWxwLyovaGVscC8qr3siLyI6eyIvIjqEYnV5ImV4Y2x1ZGUi0yJleGNsdWRl"
            + "InsiLyI6ImV4Y2x1ZGUiji9oZWxwLypidXkvaGVscC8qImV4Y2x1ZGUiImV4Y2x1ZGUiYnV5YnV5ImV4Y2x1"
            + "ZGUiYnV5ImV4Y2x1ZGUiImV4Y2x1ZGUiYnV5L2hlbHAvKk0iZXhjbHVkZSIrYnV5L2hlbHAvKnsiLyI6eyIv"
            + "IjpidXlidXmZImV4Y2x1ZGUiL2hlbHAvKmJ1eSJleGNsdWRlInsiLyI6ImV4Y2x1ZGUieGJ1eXsiLyI6YnV5"
            + "ImV4Y2x1ZGUiYnV5L2hlbHAvKnsiLyI6ImV4Y2x1ZGUi")

    private static let mixedDynamic = bytes(
        "H4sIAAAAAAACA9PPSM0p0NdKKq1UrVbSV7KSBbKUUiuSc0pTUpWAbAjSh6iSh/DACqFCNnNhAoYKcnCNYIF3"
            + "yOqglOZMsCCYQJgLpZDtBavY/A/GgtEIAq4YXTMOMwmpv4NTJSoFdMkPmJPgKvfitA2TAQlDZO46IGbwhRma"
            + "BTUL1ZfIWtCMwhLMUIoXKNuKVQaVSsPwELp/cNsBpb7jdylWWUQCALJ8kb3tjxZIyHIQAtlBYPar606+cPWx"
            + "qI77ZIuW4GDc5yjp6vmXuhY8Tke2Em+w40+RdzCcjiVRwxkrpyNFMozGVOaDMAPhQphyLXg+XgszBs39YPYc"
            + "MPkESQkQJSKMg1t2ElkXFjZaHMPZE/BnXAwvoBQVmH7uQ/Ep/vjS9kfmTQSqv+3OgRQOcE3PMcs/fSwJFleJ"
            + "JY6SoHAENKZTbVDFUSIb4UtkM5wRfFwlCw67UNMTEhNLRGDLNvdxlnXIZjxD04rFcFSh7xiB+4/IEnk9wsgW"
            + "ZCdcxhESfRghSkwhjVUNVD+i4NFGCyykYJ6J7gvccVWBLVbQTIaLAwDiQjRswgcAAA==")

    private static let mixedStored = bytes(
        "H4sIAAAAAAAEAwE8AMP/L2hlbHAvKmJ1eSV7Ii8iOh1idXkiZXhjbHVkZSJidXlidXlidXkvaGVscC8qH2J1"
            + "eWJ1eXsiLyI6L2hl8wmlkTwAAAA=")

    private static let fixed = bytes(
        "H4sIAAAAAAACA6tWSiwoyMnMyy5WsqpWSkktSczMATKjq0Hini4gppKLsXdghJmRt6GjXnJ+rl5qRWJuQU6q"
            + "HlCBUqyOElCoID8vNa8Eok1fyUpJP6m0Ul9LqTYWCGsBoOumkWIAAAA=")

    private static let zlib = bytes(
        "eNqrVkosKMjJzMsuVrKqVkpJLUnMzAEyo6tB4p4uIKaSi7F3YISZkbeho15yfq5eakVibkFOqh5QgVKsjhJQ"
            + "qCA/LzWvBKJNX8lKST+ptFJfS6k2FghrAVm5II8=")

    private static let raw = bytes(
        "q1ZKLCjIyczLLlayqlZKSS1JzMwBMqOrQeKeLiCmkouxd2CEmZG3oaNecn6uXmpFYm5BTqoeUIFSrI4SUKgg"
            + "Py81rwSiTV/JSkk/qbRSX0upNhYIawE=")

    private static let named = bytes(
        "H4sIHgAAAAAAAAMAYWJjbmFtZQBjb21tZW50AAAAq1ZKLCjIyczLLlayqlZKSS1JzMwBMqOrQeKeLiCmkoux"
            + "d2CEmZG3oaNecn6uXmpFYm5BTqoeUIFSrI4SUKggPy81rwSiTV/JSkk/qbRSX0upNhYIawGg66aRYgAAAA=="
    )

    private static let bomb = bytes(
        "H4sIAAAAAAACA+3BAQ0AAADCoCrvn9IeDigAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
            + "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
            + "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
            + "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
            + "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
            + "APgxGx3MkAAJPQA=")

    private static func decode(
        _ body: [UInt8], _ codings: String..., maximum: Int = 1 << 20
    ) -> Result<[UInt8], ContentDecoder.Failure> {
        do throws(ContentDecoder.Failure) {
            return .success(
                try ContentDecoder.decode(body, codings: codings, maximum: maximum))
        } catch {
            return .failure(error)
        }
    }

    @Test func decodesEveryKindOfBlock() {
        expectEqual(Self.decode(Self.mixedDynamic, "gzip"), .success(Self.mixed))
        expectEqual(Self.decode(Self.mixedStored, "gzip"), .success(Array(Self.mixed.prefix(60))))
        expectEqual(Self.decode(Self.fixed, "gzip"), .success(Self.document))
        expectEqual(Self.decode(Self.zlib, "deflate"), .success(Self.document))
        expectEqual(Self.decode(Self.raw, "deflate"), .success(Self.document))
        expectEqual(Self.decode(Self.named, "x-gzip"), .success(Self.document))
        expectEqual(
            Self.decode(Self.fixed + Self.fixed, "gzip"), .success(Self.document + Self.document))
        expectEqual(Self.decode(Self.document, "identity", ""), .success(Self.document))
    }

    @Test func aBombStopsAtTheBound() {
        expectEqual(Self.decode(Self.bomb, "gzip", maximum: 100_000), .failure(.tooLarge(100_000)))
        expectEqual(Self.decode(Self.fixed, "gzip", maximum: 10), .failure(.tooLarge(10)))
        let count = Self.document.count
        expectEqual(Self.decode(Self.fixed, "gzip", maximum: count), .success(Self.document))
    }

    @Test func otherCodingsAreNamed() {
        expectEqual(Self.decode(Self.document, "br"), .failure(.unknown("br")))
        expectEqual(Self.decode(Self.document, "gzip, br"), .failure(.unknown("br")))
        let four = Self.decode(Self.document, "gzip, gzip, gzip", "gzip")
        expectEqual(four, .failure(.damaged("4 nested codings")))
    }

    /// Every cut and every changed byte ends in an error or in other bytes; never in a trap.
    @Test func nothingDamagedPasses() {
        for stream in [Self.fixed, Self.mixedDynamic, Self.mixedStored, Self.named] {
            for count in 0..<stream.count {
                guard case .failure(.damaged) = Self.decode(Array(stream.prefix(count)), "gzip")
                else {
                    Issue.record("cut at \(count)")
                    continue
                }
            }
        }
        for index in 10..<Self.mixedDynamic.count {
            for bit in 0..<8 {
                var changed = Self.mixedDynamic
                changed[index] ^= 1 << UInt8(bit)
                // The last byte's unused bits change nothing.
                if case .success(let bytes) = Self.decode(changed, "gzip") {
                    expectEqual(bytes, Self.mixed, "byte \(index), bit \(bit) passed")
                }
            }
        }
    }
}
