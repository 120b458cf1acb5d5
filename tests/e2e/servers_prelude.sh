# Sourced by tests that need a server, after prelude.sh. Servers listen on free ports of 127.0.0.1, and end with the
# test; one that ended before, or with another status than a stopped one has, is a failure.
#
#   start_server NAME STATUS URL COMMAND...   any: its log is NAME.log; ready when URL answers anything; STATUS is what
#                                             it exits with when it is stopped (143: it has no handler of SIGTERM)
#   start_moto, start_minio, start_s3s        stores: set the variables of AWS that reach them, with a right key
#   stop_servers                              in good order, and checks
#   s3_put BUCKET/KEY FILE, s3_make BUCKET    by curl, which signs on its own; `s3_python` runs boto3 on standard input
#
# tests/servers/install.sh installs moto, and s3s-fs and MinIO when install/dependencies.sh servers asks for it.
# Without moto a test is skipped; with PRODPGO_TOOLS=required it fails. s3s-fs and MinIO are optional.

need curl python3
# No test may reach the services that programs on machines of AWS ask for keys.
for variable in $(compgen -e | grep '^AWS_' || :); do unset "$variable"; done
export AWS_EC2_METADATA_DISABLED=true AWS_SHARED_CREDENTIALS_FILE=$work/aws-credentials AWS_CONFIG_FILE=$work/aws-config
touch "$AWS_SHARED_CREDENTIALS_FILE" "$AWS_CONFIG_FILE"
unset http_proxy https_proxy all_proxy HTTP_PROXY HTTPS_PROXY ALL_PROXY

# A port that nothing listens on. (Nothing keeps it free until the server starts; start_server notices.)
free_port() { python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])'; }

declare -A server_pids=() server_statuses=()
start_server() {
  local server=$1 status=$2 url=$3 end=$((SECONDS + 60))
  shift 3
  "$@" > "$server.log" 2>&1 &
  server_pids[$server]=$!
  server_statuses[$server]=$status
  while [ $SECONDS -lt $end ]; do
    curl -s -m 5 -o answer "$url" && return
    kill -0 "${server_pids[$server]}" 2> /dev/null || break
    sleep .1
  done
  tail -n 5 "$server.log"
  fail "$server does not answer at $url"
}

stop_servers() {
  local server pid status tries
  for server in "${!server_pids[@]}"; do
    pid=${server_pids[$server]}
    unset "server_pids[$server]"
    kill -0 "$pid" 2> /dev/null || fail "$server ended by itself; see $server.log"
    kill -TERM "$pid"
    for ((tries = 0; tries < 100; tries++)); do
      kill -0 "$pid" 2> /dev/null || break
      sleep .1
    done
    [ $tries -lt 100 ] || { kill -KILL "$pid"; fail "$server does not stop"; }
    status=0
    wait "$pid" || status=$?
    [ $status = "${server_statuses[$server]}" ] || fail "$server ended with $status; see $server.log"
  done
}
# What is still running when a test fails or is skipped.
trap 'for pid in "${server_pids[@]}"; do kill -KILL "$pid" 2> /dev/null || :; done' EXIT

# with_keys ACCESS SECRET: for pgo, curl and boto3.
with_keys() {
  export AWS_ACCESS_KEY_ID=$1 AWS_SECRET_ACCESS_KEY=$2 AWS_REGION=us-east-1
}

# Sets `moto_python` to the python that has moto and boto3; installs them where `make test` did not.
find_moto() {
  local reason
  [ -z "${moto_python-}" ] || return 0
  moto_python=$("$here/../servers/install.sh" moto 2> reason) && return
  reason=$(tail -n 1 reason)
  [ "${PRODPGO_TOOLS-}" != required ] || fail "$reason (install/dependencies.sh test)"
  skip "$reason"
}

# moto checks signatures from the fourth request on: three make a user that may do everything in S3.
start_moto() {
  local port policy='{"Version":"2012-10-17","Statement":[{"Effect":"Allow","Action":"s3:*","Resource":"*"}]}'
  find_moto
  port=$(free_port)
  export AWS_ENDPOINT_URL=http://127.0.0.1:$port
  INITIAL_NO_AUTH_ACTION_COUNT=3 start_server moto 0 "$AWS_ENDPOINT_URL/moto-api/" \
    "$moto_python" -m moto.server -H 127.0.0.1 -p "$port"
  iam() {
    local scope=20260101/us-east-1/iam/aws4_request
    curl -s -m 20 -f "$AWS_ENDPOINT_URL/" \
      -H "Authorization: AWS4-HMAC-SHA256 Credential=x/$scope, SignedHeaders=host, Signature=0" \
      --data-urlencode Version=2010-05-08 --data-urlencode UserName=tester "$@"
  }
  iam -d Action=CreateUser > answer
  iam -d Action=CreateAccessKey > keys
  iam -d Action=PutUserPolicy -d PolicyName=all --data-urlencode PolicyDocument="$policy" > answer
  with_keys "$(sed -n 's|.*<AccessKeyId>\(.*\)</AccessKeyId>.*|\1|p' keys)" \
    "$(sed -n 's|.*<SecretAccessKey>\(.*\)</SecretAccessKey>.*|\1|p' keys)"
  [ -n "$AWS_SECRET_ACCESS_KEY" ] || fail "moto made no key: $(cat keys)"
}

# Sets `program` to an optional server.
find_optional() {
  program=$("$here/../servers/install.sh" --find "$1") ||
    skip "$1 is not installed (install/dependencies.sh servers, with a new Go and Rust)"
}

start_minio() {
  local program port console
  find_optional minio
  port=$(free_port) console=$(free_port)
  with_keys AKTEST secrettest
  export AWS_ENDPOINT_URL=http://127.0.0.1:$port
  MINIO_ROOT_USER=$AWS_ACCESS_KEY_ID MINIO_ROOT_PASSWORD=$AWS_SECRET_ACCESS_KEY MINIO_UPDATE=off \
    start_server minio 0 "$AWS_ENDPOINT_URL/minio/health/ready" \
    "$program" server --address "127.0.0.1:$port" --console-address "127.0.0.1:$console" "$work/minio"
}

# Also serves BUCKET.localhost.
start_s3s() {
  local program port
  find_optional s3s_fs
  port=$(free_port)
  mkdir -p "$work/s3s"
  with_keys AKTEST secrettest
  export AWS_ENDPOINT_URL=http://127.0.0.1:$port
  start_server s3s 143 "$AWS_ENDPOINT_URL/" \
    "$program" "$port" "$AWS_ACCESS_KEY_ID" "$AWS_SECRET_ACCESS_KEY" "$work/s3s"
}

# signed PATH ARGUMENT...: a request that curl signs.
signed() {
  curl -s -m 60 -f --aws-sigv4 aws:amz:us-east-1:s3 -u "$AWS_ACCESS_KEY_ID:$AWS_SECRET_ACCESS_KEY" \
    "$AWS_ENDPOINT_URL/$1" "${@:2}"
}
s3_make() {
  signed "$1" -X PUT -H "x-amz-content-sha256: $(sha256sum < /dev/null | cut -d ' ' -f 1)" > answer ||
    fail "cannot make bucket $1"
}
# KEY is percent-encoded.
s3_put() {
  signed "$1" -T "$2" -H "x-amz-content-sha256: $(sha256sum < "$2" | cut -d ' ' -f 1)" > answer || fail "cannot put $1"
}
# With `s3`, a client of boto3.
s3_python() {
  find_moto
  { echo 'import boto3, botocore.config
s3 = boto3.client("s3", config=botocore.config.Config(s3={"addressing_style": "path"}))'; cat; } > s3.py
  "$moto_python" s3.py "$@"
}

# start_aws [--ahead SECONDS]: aws_stand_in.py, for what these servers do not have. Sets no keys.
start_aws() {
  local port
  find_moto
  port=$(free_port)
  export AWS_ENDPOINT_URL=http://127.0.0.1:$port
  start_server aws 143 "$AWS_ENDPOINT_URL/ready" "$moto_python" "$here/aws_stand_in.py" "$port" "$@"
}
