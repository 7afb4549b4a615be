// Package chromium starts one Chromium and prints HTML to PDF with it.
//
// The documents come from strangers, so the browser is treated as if an attacker
// controlled it. It runs in its own sandbox, as an unprivileged user, in a network
// namespace without an interface, with an empty profile that is removed afterwards, with
// JavaScript off and every request blocked. This package speaks to it over a pipe, so
// there is no port to connect to (behaviour: pdf#chromium-sandbox).
//
// The package must never turn the sandbox off, share a profile, leave a process or a file
// behind, or keep one document while it prints the next.
package chromium
