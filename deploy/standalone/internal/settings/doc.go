// Package settings loads the configuration of a local stack and computes the environment of each service from it. As in
// a deployment, a service is configured only by its environment.
package settings
