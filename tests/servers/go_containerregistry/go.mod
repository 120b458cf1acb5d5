// The registry of go-containerregistry for tests: install/dependencies.sh servers builds it, as go.sum says.
module prodpgo/tests/servers/go_containerregistry

go 1.25.0

require github.com/google/go-containerregistry v0.22.1
