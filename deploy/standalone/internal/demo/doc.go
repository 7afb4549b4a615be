// Package demo seeds a local stack with a world file, through vitaectl as an
// operator would, and tells what of that world a newcomer needs to know. What the
// import printed, secrets among it, is kept in the data folder: a secret is shown
// once by the service, but a demonstration must start twice.
package demo
