"""Documents that ask the linter for as much work per byte as they can: one shape per way in which
a naive reader becomes quadratic. Each is `shape(size)`: text of about `size` bytes."""
import json

APP = "9JA89QQLNQ.com.example.app"


def fill(size, item, head, tail, separator=","):
    """head, as many items as fit, tail; the size is that of the bytes."""
    parts, used, index = [], len(data(head)) + len(data(tail)), 0
    while True:
        part = item(index)
        count = len(data(part))
        if used + count + 1 > size and parts:
            return head + separator.join(parts) + tail
        parts.append(part)
        used += count + len(separator)
        index += 1


def details(size, item, before="", after=""):
    return fill(size, item, '{"applinks":{' + before + '"details":[', "]" + after + "}}")


def components(size, item, entry="", before=""):
    head = '{"applinks":{' + before + '"details":[{"appIDs":["' + APP + '"],' + entry
    return fill(size, item, head + '"components":[', "]}]}}")


def paths(size, item):
    head = '{"applinks":{"details":[{"appIDs":["' + APP + '"],"paths":['
    return fill(size, item, head, "]}]}}")


def team(index):
    letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567"
    text = ""
    for _ in range(9):
        text += letters[index % 32]
        index //= 32
    return "Q" + text


def long_string(size, where):
    return where % ("a" * max(1, size - len(where)))


ASSOCIATION = {
    "repeated-keys": lambda n: fill(n, lambda i: '"a":1', "{", "}"),
    "repeated-keys-lines": lambda n: fill(n, lambda i: '"a":1', "{", "}", ",\n"),
    "unknown-keys": lambda n: fill(n, lambda i: f'"k{i}":1', "{", "}"),
    "misspelt-keys": lambda n: fill(n, lambda i: f'"appLinks{i % 9}{i}":1', "{", "}"),
    "repeated-service": lambda n: fill(n, lambda i: '"applinks":{}', "{", "}"),
    "entries-one-app": lambda n: details(
        n, lambda i: f'{{"appID":"{APP}","paths":["/p{i}"]}}'),
    "entries-many-apps": lambda n: details(
        n, lambda i: f'{{"appID":"9JA89QQLNQ.com.example.a{i}","paths":["/p{i}"]}}'),
    "entries-same-path": lambda n: details(
        n, lambda i: f'{{"appID":"9JA89QQLNQ.com.example{i}.a","paths":["/p"]}}'),
    "entries-star": lambda n: details(
        n, lambda i: f'{{"appID":"{team(i)}.com.example{i}.a","paths":["*"]}}'),
    "entries-two-components": lambda n: details(
        n, lambda i: f'{{"appIDs":["{team(i)}.com.e{i}.a"],"components":[{{"/":"/a{i}/*"}},'
        f'{{"/":"*","exclude":true}}]}}'),
    "entries-excluded-first": lambda n: details(
        n, lambda i: f'{{"appIDs":["{team(i)}.com.e{i}.a"],"components":['
        f'{{"/":"*b{i}","exclude":true}},{{"/":"*c{i}"}}]}}'),
    "entries-empty": lambda n: details(n, lambda i: "{}"),
    "entries-not-objects": lambda n: details(n, lambda i: "1"),
    "entries-misspelt": lambda n: details(n, lambda i: '{"appIds":1,"Paths":[]}'),
    "components-literal": lambda n: components(n, lambda i: f'{{"/":"/path/to/{i}"}}'),
    "components-star-first": lambda n: components(n, lambda i: f'{{"/":"*{i}"}}'),
    "components-star-middle": lambda n: components(n, lambda i: f'{{"/":"/a*{i}*b"}}'),
    "components-queries": lambda n: components(n, lambda i: f'{{"?":{{"a":"*{i}"}}}}'),
    "components-fragments": lambda n: components(n, lambda i: f'{{"#":"*{i}"}}'),
    "components-empty": lambda n: components(n, lambda i: "{}"),
    "components-excluded": lambda n: components(n, lambda i: f'{{"/":"*{i}","exclude":true}}'),
    "components-equal": lambda n: components(n, lambda i: '{"/":"/a"}'),
    "components-unknown": lambda n: components(n, lambda i: f'{{"/":"/{i}","k{i}":1}}'),
    "components-defaults": lambda n: components(
        n, lambda i: "{}", '"defaults":{"/":"/' + "a*" * (n // 5) + '"},'),
    "components-variables": lambda n: components(
        n, lambda i: f'{{"/":"/$(v{i})"}}',
        before='"substitutionVariables":'
        + fill(n // 2, lambda i: f'"v{i}":["a"]', "{", "}") + ","),
    "components-undefined": lambda n: components(
        n, lambda i: f'{{"/":"/$(w{i}x)"}}',
        before='"substitutionVariables":'
        + fill(n // 2, lambda i: f'"v{i}x":["a"]', "{", "}") + ","),
    "components-no-slash": lambda n: components(n, lambda i: f'{{"/":"a{i}é #?="}}'),
    "query-items": lambda n: components(
        0, lambda i: '{"/":"/a","?":' + fill(n, lambda j: f'"q{j}":"*"', "{", "}") + "}"),
    "query-items-pairs": lambda n: components(n, lambda i: '{"?":' + fill(
        600, lambda j: f'"q{j}":"{i}?"', "{", "}") + "}"),
    "paths": lambda n: paths(n, lambda i: f'"/p/{i}/*"'),
    "paths-not": lambda n: paths(n, lambda i: f'"NOT /p/{i}/*"'),
    "paths-star": lambda n: paths(n, lambda i: f'"/*{i}"'),
    "paths-numbers": lambda n: paths(n, lambda i: "1"),
    "variables": lambda n: fill(
        n, lambda i: f'"v{i}":[]', '{"applinks":{"substitutionVariables":{', '},"details":[]}}'),
    "variable-values": lambda n: fill(
        n, lambda i: f'"$({i})",""',
        '{"applinks":{"substitutionVariables":{"v":[', ']},"details":[]}}'),
    "variable-uses": lambda n: long_string(
        n, '{"applinks":{"details":[{"appID":"' + APP + '","paths":["/%s"]}]}}'
    ).replace("aaaa", "$(a)"),
    "apps": lambda n: fill(
        n, lambda i: f'"9JA89QQLNQ.com.example.a{i}"', '{"webcredentials":{"apps":[', "]}}"),
    "apps-twice": lambda n: fill(n, lambda i: f'"{APP}"', '{"webcredentials":{"apps":[', "]}}"),
    "apps-bad": lambda n: fill(n, lambda i: '"x"', '{"webcredentials":{"apps":[', "]}}"),
    "apps-of-entry": lambda n: fill(
        n, lambda i: f'"{team(i)}.com.e{i}"',
        '{"applinks":{"details":[{"paths":["*"],"appIDs":[', "]}]}}"),
    "apps-shared": lambda n: details(n, lambda i: json.dumps(
        {"appIDs": [f"9JA89QQLNQ.com.e{j}.a" for j in range(20)], "paths": [f"/{i}"]})),
    "teams": lambda n: details(
        n, lambda i: f'{{"appID":"{team(i)}.com.e{i}","paths":["/{i}/*","/{i}/a"]}}'),
    "deep": lambda n: '{"a":' * min(n // 12, 500) + "1" + "}" * min(n // 12, 500)
    + " " * max(0, n - 6 * min(n // 12, 500)),
    "too-deep": lambda n: "[" * (n // 2) + "]" * (n // 2),
    "deep-many": lambda n: fill(n, lambda i: "[" * 100 + "]" * 100, "[", "]"),
    "long-path": lambda n: long_string(
        n, '{"applinks":{"details":[{"appID":"' + APP + '","paths":["/%s"]}]}}'),
    "long-path-stars": lambda n: long_string(
        n, '{"applinks":{"details":[{"appID":"' + APP + '","paths":["/%s"]}]}}'
    ).replace("aa", "a*"),
    "long-path-slashes": lambda n: long_string(
        n, '{"applinks":{"details":[{"appID":"' + APP + '","paths":["/%s"]}]}}'
    ).replace("aaaa", "/(:%"),
    "long-paths-two": lambda n: '{"applinks":{"details":[{"appID":"' + APP + '","paths":["/*%sb","/*%sbb"]}]}}'
    % ("a" * (n // 2 - 50), "a" * (n // 2 - 50)),
    "long-app": lambda n: long_string(n, '{"webcredentials":{"apps":["%s"]}}'),
    "long-app-parts": lambda n: long_string(
        n, '{"webcredentials":{"apps":["9JA89QQLNQ%s"]}}').replace("aa", ".a"),
    "long-key": lambda n: long_string(n, '{"%s":1}'),
    "long-comment": lambda n: long_string(
        n, '{"applinks":{"details":[{"appID":"' + APP + '","components":[{"/":"/a","comment":"%s"}]}]}}'),
    "long-query": lambda n: long_string(
        n, '{"applinks":{"details":[{"appID":"' + APP + '","components":[{"?":"?%s="}]}]}}'),
    "blank": lambda n: " " * n,
    "blank-lines": lambda n: "\n" * n,
    "escapes": lambda n: '{"' + "\\u0041" * (n // 6) + '":1}',
    "numbers": lambda n: fill(n, lambda i: "1", "[", "]"),
    "one-number": lambda n: "9" * n,
    "unclosed": lambda n: "[" * min(400, n) + '"' + "a" * n,
    "trailing-commas": lambda n: fill(n, lambda i: "[1,]", "[", "]"),
    "comments": lambda n: fill(n, lambda i: "/* c */ 1", "[", "]"),
    "single-quotes": lambda n: fill(n, lambda i: "'a':'b'", "{", "}"),
    "unquoted": lambda n: fill(n, lambda i: "key: word", "{", "}"),
    "not-utf8": lambda n: "[" + '"\udcff",' * (n // 4) + "1]",
    "dictionary": lambda n: fill(
        n, lambda i: f'"{team(i)}.com.e{i}":{{"paths":["/{i}"]}}', '{"applinks":{"details":{', "}}}"),
    "defaults-query": lambda n: components(
        n, lambda i: f'{{"#":"{i}"}}',
        '"defaults":{"?":' + fill(n // 2, lambda i: f'"q{i}":"*{i}"', "{", "}") + "},"),
    "defaults-of-entries": lambda n: details(
        n, lambda i: f'{{"appID":"{team(i)}.com.e","components":[{{}}]}}',
        before='"defaults":{"/":"/' + "a" * (n // 2) + '"},'),
    "apps-across-entries": lambda n: details(
        n, lambda i: '{"appIDs":[' + ",".join(f'"{APP}{j}"' for j in range(i % 30 + 1))
        + '],"components":[{"/":"/a"},{"/":"/b' + str(i) + '"}]}'),
    "one-entry-all-apps": lambda n: fill(
        n, lambda i: f'{{"appIDs":["{APP}{i}"],"components":[]}}',
        '{"applinks":{"details":[' + fill(
            n // 4, lambda i: f'"{APP}{i}"', '{"appIDs":[', "]")
        + fill(n // 4, lambda i: f'{{"/":"/{i}"}}', ',"components":[', "]},"), "]}}"),
    "variable-in-all": lambda n: components(
        n, lambda i: f'{{"/":"/{i}/$(v)"}}',
        before='"substitutionVariables":{"v":' + fill(n // 2, lambda i: f'"{i}"', "[", "]") + "},"),
    "variables-in-one": lambda n: long_string(
        n, '{"applinks":{"substitutionVariables":{"v":["a","b"]},"details":[{"appID":"' + APP
        + '","paths":["/%s"]}]}}').replace("aaaa", "$(v)"),
    "keys-not-ascii": lambda n: fill(n, lambda i: f'"é{i}":1', "{", "}"),
    "combining-key": lambda n: '{"a' + "\u0316\u0301" * (n // 4 - 40) + '":1,"b":2}',
    "combining-key-short": lambda n: fill(
        n, lambda i: f'"a{i}' + "\u0316\u0301" * 15 + '":1', "{", "}"),
    "combining-comment": lambda n: '{"b":' + "/*a" + "\u0316\u0301" * (n // 4 - 40) + '*/1}',
    "combining-word": lambda n: '{"b":a' + "\u0316\u0301" * (n // 4 - 40) + "}",
    "combining-word-key": lambda n: "{a" + "\u0316\u0301" * (n // 4 - 40) + ":1}",
    "combining-quotes": lambda n: "{'a" + "\u0316\u0301" * (n // 4 - 40) + "':1}",
    "combining-escapes": lambda n: '{"a' + "\\u0316\\u0301" * (n // 12) + '":1}',
    "combining-app": lambda n: '{"webcredentials":{"apps":["a' + "\u0316\u0301" * (n // 4 - 40) + '"]}}',
    "hangul": lambda n: fill(n, lambda i: '"' + "\u1100\u1161\u11a8" * 40 + f'{i}":1', "{", "}"),
    "combining-keys-equal": lambda n: '{"a' + "\u0301\u0316" * (n // 8) + '":1,"a'
    + "\u0301\u0316" * (n // 8) + '":2}',
    "combining-paths": lambda n: paths(n, lambda i: '"/a' + "\u0301\u0316" * 15 + f'{i}"'),
    "combining-path": lambda n: paths(n, lambda i: '"/a' + "\u0301\u0316" * (n // 4 - 50) + '"'),
    "brackets": lambda n: "[" * 300 + fill(n - 600, lambda i: '"]"', "", "") + "]" * 300,
    "quotes": lambda n: '"' * n,
    "colons": lambda n: "{" + ":" * n,
    "commas": lambda n: "[" + "," * n,
    "dots": lambda n: long_string(n, '{"webcredentials":{"apps":["%s"]}}').replace("a", "."),
    "hex": lambda n: paths(n, lambda i: '"/%c3%a' + str(i % 10) + '"'),
    "not": lambda n: paths(n, lambda i: '"not /"'),
    "html": lambda n: "<html>" + "a" * n,
    "entries-equal": lambda n: details(n, lambda i: f'{{"appID":"{APP}","paths":["*"]}}'),
    "entries-placeholder": lambda n: details(
        n, lambda i: f'{{"appIDs":["{team(i)}.com.companyName.App{i}"],"components":[{{"/":"/todo"}}]}}'),
    "entries-all-keys": lambda n: details(
        n, lambda i: f'{{"appID":"{team(i)}.a.b{i}","appIDs":["{team(i)}.a.b{i}"],"paths":["/{i}"],'
        f'"components":[{{"/":"/{i}"}}],"defaults":{{"caseSensitive":false}}}}'),
    "apps-same-bundle": lambda n: details(
        n, lambda i: f'{{"appIDs":["{team(i)}.com.example.app"],"components":[{{"/":"/{i}"}}]}}'),
    "apps-shared-rules": lambda n: fill(
        n // 2, lambda i: f'"{APP}{i}"', '{"applinks":{"details":[{"appIDs":[', "]")
    + fill(n // 2, lambda i: f'{{"/":"/{i}/*"}}', ',"components":[', "]}]}}"),
    "apps-everywhere": lambda n: "{" + ",".join(
        fill(n // 3, lambda i: f'"9JA89QQLNQ.com.example.a{i}"', f'"{service}":{{"apps":[', "]}")
        for service in ("webcredentials", "activitycontinuation", "appclips")) + "}",
    "components-deep": lambda n: components(
        n, lambda i: '{"/":"/a","x":' + "[" * 90 + "]" * 90 + "}"),
    "components-encoded": lambda n: components(
        n, lambda i: f'{{"/":"/%C3%A4{i}/ä","percentEncoded":{"true" if i % 2 else "false"}}}'),
    "variables-nested": lambda n: fill(
        n, lambda i: f'"v{i}":["$(v{i + 1})","a"]',
        '{"applinks":{"substitutionVariables":{', '},"details":[]}}'),
    "variable-per-rule": lambda n: components(
        n, lambda i: f'{{"/":"/{i}/$(v{i})/x"}}',
        before='"substitutionVariables":'
        + fill(n // 2, lambda i: f'"v{i}":["a","b"]', "{", "}") + ","),
    "long-strings": lambda n: paths(n, lambda i: f'"/{i}/{"a" * 1000}"'),
    "long-apps": lambda n: fill(
        n, lambda i: f'"9JA89QQLNQ.{"a" * 900}{i}"', '{"webcredentials":{"apps":[', "]}}"),
}

# Tests for links, against a document of one rule.
LINKS = {
    "links-paths": lambda n: fill(n, lambda i: f"/path/to/{i},none", "", "", "\n"),
    "links-apps": lambda n: fill(n, lambda i: f"/buy/{i},{APP}", "", "", "\n"),
    "links-failing": lambda n: fill(n, lambda i: f"/a/{i},{APP},why", "", "", "\n"),
    "links-json": lambda n: fill(n, lambda i: f'{{"url":"/buy/{i}","app":"{APP}"}}', "[", "]"),
    "links-bad": lambda n: "x\n" * (n // 2),
    "links-long": lambda n: "/buy/" + "a" * n + "," + APP,
    "links-quotes": lambda n: '"' * n,
    "links-quoted": lambda n: fill(n, lambda i: f'"/buy/{i}",none', "", "", "\n"),
    "links-blanks": lambda n: " " * (n // 2) + "x" + '"' * (n // 2),
    "links-commas": lambda n: "/a" + "," * n,
    "links-query": lambda n: "/buy?" + "a=b&" * (n // 4) + ",none",
}

SIBLINGS = {
    "assetlinks.json": {
        "statements": lambda n: fill(n, lambda i: "{}", "[", "]"),
        "strings": lambda n: fill(n, lambda i: '"a"', "[", "]"),
        "relations": lambda n: fill(n, lambda i: f'"r{i}"', '[{"relation":[', "]}]"),
        "fingerprints": lambda n: fill(
            n, lambda i: '"A7:A7"',
            '[{"relation":["delegate_permission/common.handle_all_urls"],"target":{"namespace":'
            '"android_app","package_name":"com.example","sha256_cert_fingerprints":[', "]}}]"),
        "same": lambda n: fill(n, lambda i: '{"relation":["a/b"],"target":{"namespace":"web",'
                               '"site":"https://example.com"}}', "[", "]"),
        "apps": lambda n: fill(
            n, lambda i: '{"relation":["delegate_permission/common.handle_all_urls"],"target":'
            f'{{"namespace":"android_app","package_name":"com.example.a{i}",'
            '"sha256_cert_fingerprints":["' + ":".join(["A7"] * 32) + '"]}}', "[", "]"),
        "long-fingerprint": lambda n: long_string(
            n, '[{"relation":["a/b"],"target":{"namespace":"android_app","package_name":"com.e.a",'
            '"sha256_cert_fingerprints":["%s"]}}]').replace("aaa", "A7:"),
        "long-package": lambda n: long_string(
            n, '[{"relation":["a/b"],"target":{"namespace":"android_app","package_name":"%s"}}]'
        ).replace("aa", "a."),
        "keys": lambda n: fill(n, lambda i: f'"relatoin{i % 10}":1', "[{", "}]"),
        "packages": lambda n: fill(
            n, lambda i: f'{{"relation":["r{i}/x"],"target":{{"namespace":"android_app","package_name":"a.b{i}"}}}}',
            "[", "]"),
    },
    "webauthn": {
        "origins": lambda n: fill(n, lambda i: f'"https://a{i}.de"', '{"origins":[', "]}"),
        "same": lambda n: fill(n, lambda i: '"https://a.de"', '{"origins":[', "]}"),
        "bad": lambda n: fill(n, lambda i: '"x"', '{"origins":[', "]}"),
        "long": lambda n: long_string(n, '{"origins":["https://%s"]}').replace("aa", "a."),
    },
    "passkey-endpoints": {
        "keys": lambda n: fill(n, lambda i: f'"enrol{i}":1', "{", "}"),
        "same": lambda n: fill(n, lambda i: '"enrol":1', "{", "}"),
    },
    "security.txt": {
        "lines": lambda n: "x\n" * (n // 2),
        "fields": lambda n: fill(n, lambda i: f"A{i}: b", "", "", "\n"),
        "expires": lambda n: "Expires: x\n" * (n // 11),
        "contacts": lambda n: "Contact: x\n" * (n // 11),
        "long": lambda n: "Contact: " + "a" * n,
        "combining": lambda n: "a" + "\u0316\u0301" * (n // 4 - 40) + ": b",
        "combining-value": lambda n: "Contact: m" + "\u0316\u0301" * (n // 4 - 40) + ":",
    },
    "change-password": {"long": lambda n: "/" + "a" * n},
    "App.entitlements": {
        "entries": lambda n: entitlements(n, lambda i: f"<string>applinks:a{i}.example.com</string>"),
        "same": lambda n: entitlements(n, lambda i: "<string>applinks:example.com</string>"),
        "bad": lambda n: entitlements(n, lambda i: "<string>x</string>"),
        "not-strings": lambda n: entitlements(n, lambda i: "<true/>"),
        "long": lambda n: entitlements(0, lambda i: "<string>applinks:" + "a." * (n // 2) + "</string>"),
        "keys": lambda n: '<?xml version="1.0"?><plist version="1.0"><dict>'
        + "<key>a</key><true/>" * (n // 19) + "</dict></plist>",
        "comments": lambda n: '<?xml version="1.0"?><plist version="1.0"><dict>'
        + "<!-- -->" * (n // 8) + "</dict></plist>",
        "deep": lambda n: '<?xml version="1.0"?><plist version="1.0">' + "<array>" * (n // 15)
        + "</array>" * (n // 15) + "</plist>",
        "combining": lambda n: entitlements(
            0, lambda i: "<string>a" + "\u0316\u0301" * (n // 4 - 40) + ":b</string>"),
        "combining-key": lambda n: '<?xml version="1.0"?><plist version="1.0"><dict><key>c'
        + "\u0316\u0301" * (n // 4 - 40) + "</key><true/></dict></plist>",
        "entities": lambda n: entitlements(0, lambda i: "<string>" + "&amp;" * (n // 5) + "</string>"),
    },
}


def entitlements(size, item):
    head = ('<?xml version="1.0" encoding="UTF-8"?><plist version="1.0"><dict>'
            "<key>com.apple.developer.associated-domains</key><array>")
    return fill(size, item, head, "</array></dict></plist>", "")


def every():
    """(name, file name, shape) of all documents."""
    for name, shape in ASSOCIATION.items():
        yield name, "apple-app-site-association", shape
    for name, shape in LINKS.items():
        yield name, "links", shape
    for file, shapes in SIBLINGS.items():
        for name, shape in shapes.items():
            yield f"{file}/{name}", file, shape


def data(text):
    return text.encode("utf-8", "surrogateescape")
