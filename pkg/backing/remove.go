package backing

import "vitae.internal/pkg/backing/internal/server"

// Remove deletes the data of a stopped server.
func Remove(dir string) error { return server.RemoveHome(dir) }
