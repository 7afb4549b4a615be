// Package app assembles partnercatalog, the service that owns companies and jobs. It is the only
// package of this module that other modules import.
package app
