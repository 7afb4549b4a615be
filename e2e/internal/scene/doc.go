// Package scene sets up the starting point of a test: an imported world, with some steps already done
// for its people, apps and employers.
//
//	Scene      people and apps, nothing connected
//	Connected  a person who has connected an app
//	Platform   an app with API keys that acts for employers
//	Legacy     an app and a person who use the legacy interface
//
// Each scene has its own world; tests can therefore run in parallel on one stack. A scene asserts that its own
// steps succeed, but must not assert what a test is about.
package scene
