// Package console is the developer console: the pages at VITAE_CONSOLE_ADDR on which the
// developers of partners manage their apps, credentials, keys and team
// (behaviour: console).
//
// A person signs in with Vitae itself, as at any partner's site. Who may do what is
// decided by auth, from the session that every call carries; the console only leaves away
// what a role cannot use.
//
// It must never put a credential into an address, a cookie or a log, and shows one only in
// the answer that has made it.
package console
