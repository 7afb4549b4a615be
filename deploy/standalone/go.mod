module vitae.internal/deploy/standalone

go 1.26.0

replace vitae.internal/proto => ../../proto

require (
	vitae.internal/gateway v0.0.0
	vitae.internal/pkg v0.0.0
	vitae.internal/proto v0.0.0
	vitae.internal/services/auth v0.0.0
	vitae.internal/services/candidate v0.0.0
	vitae.internal/services/cvrender v0.0.0
	vitae.internal/services/partnercatalog v0.0.0
)

replace vitae.internal/pkg => ../../pkg

replace vitae.internal/services/auth => ../../services/auth

replace vitae.internal/services/partnercatalog => ../../services/partnercatalog

replace vitae.internal/services/candidate => ../../services/candidate

replace vitae.internal/services/cvrender => ../../services/cvrender

replace vitae.internal/gateway => ../../gateway
