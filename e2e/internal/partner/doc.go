// Package partner plays a partner's server, in its three roles, at one replica of
// the gateway:
//
//	Client    an OAuth client: authorization requests, tokens, the REST API of one person
//	Employer  a platform that acts for employers, with an API key
//	Legacy    an app that uses the legacy interface
//
// A call returns the answer as it came. This package must never judge one: package
// expect does.
package partner
