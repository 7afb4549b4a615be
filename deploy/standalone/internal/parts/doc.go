// Package parts starts the services of Vitae, each with an environment: in this process, with the
// `app` packages of their binaries, or in separate processes. They call each other by gRPC over
// mTLS in both cases. Only this package imports every `app`. It must not contain anything else.
package parts
