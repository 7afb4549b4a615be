// Package chromium starts one Chromium and prints HTML to PDF with it.
//
// What it prints comes from strangers, so the browser is treated as if it were
// already taken over. It runs in its own sandbox, as an unprivileged user, in a
// network namespace without a single interface, with an empty profile that is
// removed afterwards, with JavaScript off and every request blocked. It is
// spoken to over a pipe, so there is no port that anyone could connect to
// (design: Promises, 7).
//
// It must never turn the sandbox off, share a profile, leave a process or a
// file behind, or keep one document while it prints the next.
package chromium
