// Package settings is the configuration of a local stack, and what each part's
// environment is in it. Every part, in this process or in one of its own, is
// configured by such an environment and by nothing else, as in a deployment.
package settings
