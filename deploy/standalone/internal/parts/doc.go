// Package parts starts the parts of Vitae, each from an environment: in this
// process, from the same `app` packages as their binaries, or in processes of
// their own, from those binaries. Between the parts is the same gRPC over mTLS
// either way.
//
// It is the one place that imports every `app`. It must never hold anything else.
package parts
