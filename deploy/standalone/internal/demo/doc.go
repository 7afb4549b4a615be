// Package demo seeds a local stack with a world file, through vitaectl as an operator
// would, gives one of its accounts a past as a gateway would have told it, and says what a
// newcomer needs to know of that world. What the import has printed, secrets included, is
// kept in the data folder: the services show a secret once, and a stack starts many times.
package demo
