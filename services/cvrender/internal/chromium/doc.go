// Package chromium starts Chromium and uses it to print HTML to PDF.
//
// The documents are untrusted, so the package treats the browser as compromised. Chromium runs in
// its own sandbox, as an unprivileged user, in a network namespace without interfaces, with an
// empty profile, with JavaScript disabled and with all requests blocked. The package controls it
// over a pipe, so there is no port to connect to (behaviour: pdf#chromium-sandbox).
//
// The package must never disable the sandbox, share a profile, leave a process or a file behind, or
// keep a document while it prints the next one.
package chromium
