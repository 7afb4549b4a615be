// Package keyring holds the keys with which a deployment signs the values that it issues: durable
// links, cookies, file URLs and session records.
//
// A ring contains up to eight keys, each with an id. The first key signs, and all keys verify. To
// replace a key without an outage, append the new key on all replicas, then move it to the front on
// all replicas. Remove the old key when nothing that it signed is in use any more
// (docs/operations.md, "Keys"). The counter vitae_key_verified_total shows which keys are still in
// use.
//
// Signatures do not contain the id of their key, because partners store links that were signed
// before keys had ids. Verification tries all keys in constant time.
//
// The package must never print a key. Errors contain the name of the variable, and the id if it has
// the format of an id.
package keyring
