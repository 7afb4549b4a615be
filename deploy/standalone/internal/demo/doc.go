// Package demo seeds a local stack with a world file through vitaectl, adds usage to one account
// as a gateway would, and prints an overview for new developers. It stores the output of the import,
// including secrets, in the data folder, because the services show a secret only once.
package demo
