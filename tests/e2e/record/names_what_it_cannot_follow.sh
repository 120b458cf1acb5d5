# What emulation cannot follow runs unrecorded, and is named: at the end by `pgo record`, at once by
# the plugin on its own.
. "$(dirname "$0")/../prelude.sh"
need qemu-x86_64 perf gcc

# A 32-bit program, as far as one can tell from its first bytes; and one that the kernel refuses.
printf '\177ELF\001\001\001\000\000\000\000\000\000\000\000\000\002\000\003\000' > foreign
head -c 100 /dev/zero >> foreign
chmod +x foreign
printf '#!/bin/sh\n./foreign\necho went on with $?\n' > script
chmod +x script
./script > expected.txt 2> /dev/null

"$pgo" record --engine emulate --period "$(period 97)" -o perf.data -- ./script > out.txt 2> record.log
diff expected.txt out.txt
grep -q "^pgo: warning: ./foreign, executed by process [0-9]*, is not recorded: it is not a readable x86-64 program$" record.log
perf script -i perf.data > /dev/null

status=0
"$pgo" record --engine emulate -o other.data -- ./foreign 2> refused.log || status=$?
[ "$status" -eq 2 ]
grep -qx "pgo: error: ./foreign is not a readable x86-64 program, and emulation supports no others; use --engine perf" refused.log
[ ! -e other.data ]

recorder=$BUILD_DIR/lib/prodpgo/prodpgo_branch_recorder.so
qemu-x86_64 -plugin "$recorder,out=direct.data,period=97" /bin/sh ./script > out.txt 2> direct.log
diff expected.txt out.txt
grep -q '^prodpgo: ./foreign, executed by process' direct.log
