// Package developer is about developer accounts, their plans, their apps and the
// apps' API keys.
//
// It must never keep a secret in the clear: client secrets and API keys are
// shown once, when they are made.
package developer
