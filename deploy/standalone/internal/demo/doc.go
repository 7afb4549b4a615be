// Package demo seeds a local stack with a world file through vitaectl, adds the usage of one
// account as a gateway does, and tells a new developer what is in it. It stores the output of the
// import, with its secrets, in the data folder, because the services show a secret once.
package demo
