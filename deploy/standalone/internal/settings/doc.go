// Package settings is the configuration of a local stack, and computes the environment of
// each of its parts from it. Every part, in this process or in one of its own, is
// configured by such an environment and by nothing else, as in a deployment.
package settings
