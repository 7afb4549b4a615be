package platform

// Rescoped is exported for a test that compares it with the SQL function held_scopes.
var Rescoped = rescoped
