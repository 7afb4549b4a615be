// Package catalog asks and tells service partnercatalog about jobs, over gRPC. It
// turns the contract's messages into what package application and package
// delivery know, and holds no rule.
package catalog
