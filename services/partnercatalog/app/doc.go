// Package app assembles the partnercatalog service, which owns companies and jobs. It is the only
// package of this module that other modules import.
package app
