package platform

// Rescoped is exported for a test that compares the Go code with the SQL function held_scopes.
var Rescoped = rescoped
