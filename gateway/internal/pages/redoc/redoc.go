// Package redoc holds Redoc, which renders the OpenAPI document in a browser. The
// README beside this file says where it comes from and how to renew it.
//
// Nobody must ever edit the bundle by hand: tools/redoc.sh makes it.
package redoc

import _ "embed"

// Packed is the renderer, an ES module that exports init(document, options, element),
// packed with gzip: 650 KB, where the module itself has 2.3 MB.
//
//go:embed redoc.standalone.js.gz
var Packed []byte
