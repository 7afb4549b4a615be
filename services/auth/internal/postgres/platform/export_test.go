package platform

// Rescoped is exported for a test against held_scopes of SQL.
var Rescoped = rescoped
