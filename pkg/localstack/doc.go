// Package localstack is the note that a local stack leaves in its data folder,
// so that vitaectl and tests find its addresses and a client certificate. The
// stack writes it once it serves, and vitaectl reads it: neither imports the
// other.
//
// It holds addresses and file names, never a secret.
package localstack
