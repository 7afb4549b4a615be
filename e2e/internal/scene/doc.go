// Package scene makes what a test starts from: an imported world, and people, apps
// and employers in it that have come some way already.
//
//	Scene      people and apps, nothing connected
//	Connected  a person who has connected an app
//	Platform   an app with API keys that acts for employers
//	Legacy     an app and a person at the legacy interface
//
// Every scene is a world that no other test knows, so tests run in parallel on one
// stack. A scene asserts that its own steps succeed; it must never assert what a test
// is about.
package scene
