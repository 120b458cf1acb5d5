# The password of an encrypted key comes from $PRODPGO_SIGN_PASSWORD, or else from the terminal, which does not show it.
# Without either, nothing is pushed.
. "$(dirname "$0")/../prelude.sh"
. "$here/versions_prelude.sh"
need minisign python3 setsid
minisign -G -W -p release.pub -s plain.key > text
# Encrypted as minisign does it, with less work: it takes seconds and 1 GB.
python3 - > release.key << 'END'
import base64, hashlib, pathlib
plain = base64.b64decode(pathlib.Path("plain.key").read_text().splitlines()[1])
salt, key = bytes(range(32)), plain[54:126]
checksum = hashlib.blake2b(b"Ed" + key, digest_size=32).digest()
limits = (1 << 15).to_bytes(8, "little") + (1 << 24).to_bytes(8, "little")  # what libsodium makes n, r and p of
stream = hashlib.scrypt(b"a password", salt=salt, n=1024, r=8, p=1, dklen=104)
secret = bytes(a ^ b for a, b in zip(key + checksum, stream))
print("untrusted comment: minisign encrypted secret key")
print(base64.b64encode(b"EdScB2" + salt + limits + secret).decode())
END
printf 'm' > message
echo 'a password' | minisign -S -s release.key -m message > text 2>&1
minisign -Q -V -p release.pub -m message > text
profile server.proftext 1
push=("$pgo" push server.proftext oci-dir:profiles:week-48 --sign release.key)

refused() { # EXPECTED COMMAND...
  local expected=$1 status=0
  shift
  "$@" > text 2> log < /dev/null || status=$?
  expect "exit code" 2 $status
  expect "message" "pgo: error: $expected" "$(cat log)"
  [ ! -e profiles ] || fail "a version was pushed, and not signed"
}
refused "release.key: is encrypted, and there is no terminal to ask for its password; set \$PRODPGO_SIGN_PASSWORD" \
  setsid -w "${push[@]}"
refused "release.key: the password is wrong, or the key is damaged" env PRODPGO_SIGN_PASSWORD=a "${push[@]}"
digest=$(PRODPGO_SIGN_PASSWORD='a password' "${push[@]}" 2> log)
cp -r profiles before

python3 - "${push[@]}" > shown << 'END'
import os, pty, sys
process, terminal = pty.fork()
if process == 0:
    os.execv(sys.argv[1], sys.argv[1:])
shown = b""
while True:
    try:
        more = os.read(terminal, 4096)
    except OSError:  # the program has ended
        break
    if not more:
        break
    before, shown = shown, shown + more
    if b"release.key: " in shown and b"release.key: " not in before:
        os.write(terminal, b"a password\n")
sys.stdout.write(shown.decode().replace("\r", ""))
sys.exit(os.waitstatus_to_exitcode(os.waitpid(process, 0)[1]))
END
expect "shown" "Password of release.key: " "$(head -1 shown)"
grep -qx "$digest" shown || fail "$(cat shown)"
grep -q "a password" shown && fail "the password is shown: $(cat shown)"
diff -r before profiles
