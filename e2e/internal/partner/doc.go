// Package partner plays a partner's server, in its three roles, against one gateway replica:
//
//	Client    an OAuth client: authorization requests, tokens, the REST API of one person
//	Employer  a platform that acts for employers, with an API key
//	Legacy    an app that uses the legacy interface
//
// Methods return responses unchanged; package expect checks them, and this package must not.
package partner
