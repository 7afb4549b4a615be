// Package keyring holds the keys of a deployment that sign what its parts give away:
// durable links, cookies, addresses of files, session records.
//
// A ring has up to eight keys, each with an id. The first one signs, and every one
// verifies. So a key is replaced without an outage: add the new one at the end
// everywhere, then move it to the front everywhere, and take the old one away when
// nothing that it signed is needed any more (docs/operations.md, "Keys"). The counter
// vitae_key_verified_total says which keys still verify something.
//
// Signatures do not name their key, because partners store links that were signed before keys
// had ids. Verifying tries all keys of the ring in constant time.
//
// It must never print a key. Faults name the variable and, once it is known to be one,
// the id.
package keyring
