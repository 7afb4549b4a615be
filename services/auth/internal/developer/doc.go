// Package developer is about developer accounts, their plans, their apps and the API
// keys of the apps.
//
// It must never store a secret in the clear: it gives client secrets and API keys to
// the caller once, when it makes them.
package developer
