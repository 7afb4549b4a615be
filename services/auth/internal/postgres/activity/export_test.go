package activity

// ScanAtMost limits how many entries of the log a page reads.
func (s *Usage) ScanAtMost(first, most int) { s.scan = scanLimits{first, most} }
