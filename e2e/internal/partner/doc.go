// Package partner plays a partner's server, in its three roles, at one replica of
// the gateway:
//
//	Client    an OAuth client: authorization requests, tokens, the REST API of one person
//	Employer  a platform that acts for employers, with an API key
//	Legacy    an app that uses the legacy interface
//
// A call returns the answer unchanged; package expect judges it, and this package must never do so.
package partner
