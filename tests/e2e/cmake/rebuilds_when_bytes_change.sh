# Objects are rebuilt exactly when the bytes of the profile change; other bytes under an old name are
# noticed, wherever they are.
. "$(dirname "$0")/../prelude.sh"
. "$(dirname "$0")/../cmake_prelude.sh"
need make

for generator in Ninja "Unix Makefiles"; do
  b=${generator// /_}
  project source <<'EOF'
prodpgo_profile(small FILE small.proftext)
prodpgo_optimize(small PROFILE small LINKED)
EOF
  must_configure "$b"
  build "$b"
  first=$("$llvm/llvm-objcopy" --dump-section .note.prodpgo=/dev/stdout "$b/small" /dev/null | strings)
  copy=$(ls "$b"/prodpgo/*/small.proftext)
  [ "$copy" = "$b/prodpgo/$(sha256sum source/small.proftext | head -c 16)/small.proftext" ]
  built_first=$(built "$b")

  # A new time is no change.
  sleep 1.1
  touch source/small.proftext
  build "$b"
  [ -z "$(built "$b")" ] || fail "a touched profile rebuilt $(built "$b")"
  build "$b"
  never "Configuring done" "$b.made"

  # New bytes are: everything that the profile applies to, and its note.
  printf ' 5: 1\n' >> source/small.proftext
  build "$b"
  [ "$(built "$b")" = "$built_first" ] || fail "new bytes rebuilt $(built "$b") and not $built_first"
  second=$("$llvm/llvm-objcopy" --dump-section .note.prodpgo=/dev/stdout "$b/small" /dev/null | strings)
  [ "$first" != "$second" ]
  # The earlier bytes are not kept.
  [ "$(ls "$b"/prodpgo/*/small.proftext)" = "$b/prodpgo/$(sha256sum source/small.proftext | head -c 16)/small.proftext" ]
  [ "$(find "$b/prodpgo" -mindepth 1 -type d | wc -l)" = 2 ] || fail "empty directories are left"  # and notes

  # The copy that compilers read was altered, or is gone: it is what its name says again, and nothing
  # was compiled with it.
  copy=$b/prodpgo/$(sha256sum source/small.proftext | head -c 16)/small.proftext
  sleep 1.1
  chmod u+w "$copy"
  echo 'main:9:9' >> "$copy"
  build "$b"
  says "$PWD/$copy was altered: its name stands for other bytes." "$b.made"
  cmp source/small.proftext "$copy"
  [ -z "$(built "$b")" ] || fail "an altered copy rebuilt $(built "$b")"
  rm -r "$b/prodpgo/$(sha256sum source/small.proftext | head -c 16)"
  build "$b"
  cmp source/small.proftext "$copy"
  [ -z "$(built "$b")" ] || fail "a lost copy rebuilt $(built "$b")"
done

# A declared digest holds the file to it.
digest=$(sha256sum source/small.proftext | cut -d' ' -f1)
sed -i "s/FILE small.proftext/& SHA256 ${digest^^}/" source/CMakeLists.txt
must_configure pinned
echo ' 9: 1' >> source/small.proftext
! configure pinned || fail "other bytes than declared were taken"
says "prodpgo_profile(small): $PWD/source/small.proftext is not the declared file: its SHA-256 is \
$(sha256sum source/small.proftext | cut -d' ' -f1) and not $digest Put the declared file back, or declare this one." pinned.log
