// Package parts starts the services of Vitae, each with its own environment. They run in this process, through the
// `app` packages of their binaries, or in separate processes. In both cases they call each other by gRPC over mTLS.
// Only this package imports every `app` package, so it must not contain anything else.
package parts
