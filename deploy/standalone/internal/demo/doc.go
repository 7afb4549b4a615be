// Package demo seeds a local stack from a world file, by running vitaectl. It adds usage to one account, as a gateway
// would, and reads what a new developer needs to know about the seeded data. It stores the output of the import in the
// data folder, including secrets, because the services show a secret only once.
package demo
