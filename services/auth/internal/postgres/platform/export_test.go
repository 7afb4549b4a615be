package platform

// Rescoped is exported for a test against the SQL function held_scopes.
var Rescoped = rescoped
