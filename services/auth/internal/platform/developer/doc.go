// Package developer manages developer accounts, their plans, their apps, and the apps'
// secrets and API keys.
//
// It must never store a secret in plain text: it returns client secrets and API keys once,
// when it creates them.
package developer
