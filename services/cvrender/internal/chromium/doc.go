// Package chromium starts one Chromium and prints HTML to PDF with it.
//
// The documents are untrusted, so the package treats the browser as compromised. It runs in its own
// sandbox, as an unprivileged user, in a network namespace without an interface, with an empty
// profile, with JavaScript off and every request blocked. The package controls it over a pipe, so
// there is no port to connect to (behaviour: pdf#chromium-sandbox).
//
// The package must never turn the sandbox off, share a profile, leave a process or a file behind,
// or keep one document while it prints the next.
package chromium
