package activity

// ScanAtMost limits how many log entries are read in search of one page.
func (s *Usage) ScanAtMost(first, most int) { s.scan = scanLimits{first, most} }
