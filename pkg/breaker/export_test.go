package breaker

// NewAt makes a breaker whose clock a test moves.
var NewAt = newBreaker
