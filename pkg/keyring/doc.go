// Package keyring contains the keys with which a deployment signs what it hands out: durable links,
// cookies, URLs of files, session records.
//
// A ring has up to eight keys, each with an id. The first key signs, and all of them verify. To
// replace a key without an outage, add the new one at the end on all replicas, then move it to the
// front on all replicas. Remove the old one when nothing that it signed is in use
// (docs/operations.md, "Keys"). The counter vitae_key_verified_total shows which keys are still in
// use.
//
// Signatures do not contain the id of their key, because partners store links that were signed
// before keys had ids. Verification tries all keys in constant time.
//
// The package must never print a key. Errors contain the name of the variable and the id, once it
// is known to be an id.
package keyring
