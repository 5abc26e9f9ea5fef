import Foundation
import TestSupport
import Testing

@Suite struct NginxConfigurationTests {
    @Test func takesAnNginxTree() throws {
        let folder = try ImportSource.folder([
            "etc/nginx/sites-enabled/shop": """
            server {
                server_name other.example;
                location = /.well-known/apple-app-site-association { return 404; }
            }
            server {
                server_name example.com www.example.com;   # the shop
                root /var/www/shop;
                location = /apple-app-site-association { proxy_pass http://app; }
                location ~ ^/\\.well-known/apple-app-site-association$ {
                    default_type application/json;
                    alias /srv/aasa.json;
                }
            }
            """,
            "srv/aasa.json": ImportSource.document,
        ])
        try ImportSource.imports(folder, "etc")
    }

    @Test func takesTheTextOfAReturn() throws {
        let folder = try ImportSource.folder([
            "nginx.conf": """
            http { server { server_name example.com;
              location /apple-app-site-association {
                return 200 '{"webcredentials": {"apps": ["D3KQX62K1A.com.example.shop"]}}'; } } }
            """
        ])
        try ImportSource.imports(
            folder, "nginx.conf",
            as: #"{"webcredentials": {"apps": ["D3KQX62K1A.com.example.shop"]}}"#)
    }
}
