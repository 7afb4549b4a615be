module vitae.internal/pkg

go 1.26.0

replace vitae.internal/proto => ../proto

require vitae.internal/proto v0.0.0
