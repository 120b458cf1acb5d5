# prodpgo_archive(): a build target for release jobs, which archives what was built, after BOLT with BOLT's input.
. "$(dirname "$0")/../prelude.sh"
. "$(dirname "$0")/../cmake_prelude.sh"
need llvm-readelf-22 llvm-objcopy-22

project source <<'EOF'
prodpgo_profilable(small)
prodpgo_archive(small ${TO})
EOF
must_configure build "-DPRODPGO_ARCHIVE=$PWD/kept builds"
build build
[ ! -e "kept builds" ] || fail "a build archives"
build build --target small-archive
id=$(llvm-readelf-22 -n build/small | sed -n 's/.*Build ID: //p')
cmp build/small "kept builds/.build-id/${id:0:2}/${id:2}"
build build --target small-archive
says "is already there" build.made

# A file that stands for llvm-bolt's input: its build ID differs in the last bit.
cat >> source/CMakeLists.txt <<'EOF'
set_property(TARGET small PROPERTY PRODPGO_PREBOLT_STEP "$<$<CONFIG:Release>:true>")
EOF
last=$(printf %x $((16#${id: -1} ^ 1)))
llvm-objcopy-22 --dump-section .note.gnu.build-id=note build/small
python3 -c 'note = bytearray(open("note", "rb").read()); note[-1] ^= 1; open("note", "wb").write(note)'
must_configure build "-DTO=TO;oci-dir:registry"
llvm-objcopy-22 --update-section .note.gnu.build-id=note build/small build/small.prebolt
build build --target small-archive
says "prebolt ${id%?}$last oci-dir:registry@sha256:" build.made
[ -e source/registry/index.json ] || fail "the archive is not where the project is"

# Its debug file, by a generator expression.
sed -i 's/prodpgo_archive(small .*/prodpgo_archive(small TO debug DEBUG_FILE $<TARGET_FILE:small>.debug)/' source/CMakeLists.txt
llvm-objcopy-22 --only-keep-debug build/small build/small.debug
must_configure build
build build --target small-archive
says "debug $id debug/.build-id/${id:0:2}/${id:2}.debug" build.made
cmp build/small.debug "source/debug/.build-id/${id:0:2}/${id:2}.debug"
sed -i 's/prodpgo_archive(small .*/prodpgo_archive(small DEBUG)/' source/CMakeLists.txt
! configure nowhere || fail "takes an option without a value"
says "prodpgo_archive(small): two options are known, TO <archive> and DEBUG_FILE <file>" nowhere.log

sed -i 's/prodpgo_archive(small.*/prodpgo_archive(small)/' source/CMakeLists.txt
must_configure nowhere
build nowhere
! cmake --build nowhere --target small-archive > nowhere.made 2>&1 || fail "archives nowhere"
says "ProdPGO: error: prodpgo_archive(small): name the archive: TO <archive>, or -DPRODPGO_ARCHIVE=<archive>" nowhere.made
sed -i 's/prodpgo_archive(small)/prodpgo_archive(scale TO a)/' source/CMakeLists.txt
! configure library || fail "archives a static library"
says "prodpgo_archive(scale): only programs and shared libraries are released" library.log
