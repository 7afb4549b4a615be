// Package settings is the configuration of a local stack, and computes the environment of each
// service from it. A service is configured only by this environment, as in a deployment.
package settings
