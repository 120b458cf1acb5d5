# LLVM profiles of every form and kind, made by llvm-profdata from one text: each is told for what it is,
# and says the same.
. "$(dirname "$0")/../prelude.sh"
need "$llvm/llvm-profdata"

printf 'main:1000:2\n 1: 10\n 4: inlined:300\n  1: 300\nf:70:5\n 0: 7\n' > line.text
for form in text binary extbinary; do
  "$llvm/llvm-profdata" merge --sample --$form line.text -o line.$form
  "$pgo" show line.$form --json | sed '/"path"\|"size"/d' > shown.$form
done
grep '"format": "llvm"' shown.extbinary > /dev/null || fail "extbinary is not told"
grep '"format": "llvm-binary"' shown.binary > /dev/null || fail "binary is not told"
for form in binary extbinary; do
  diff <(sed '/"format"/d' shown.text) <(sed '/"format"/d' shown.$form) || fail "$form says something else"
done

# Compressed sections, hashed names.
"$llvm/llvm-profdata" merge --sample --extbinary --compress-all-sections line.text -o packed
"$pgo" show packed --json | sed '/"path"\|"size"/d' | diff shown.extbinary - || fail "compression changes the answer"
"$llvm/llvm-profdata" merge --sample --extbinary --use-md5 line.text -o hashed
"$pgo" show hashed | grep '^  kind  *by line, names are hashes$' > /dev/null || fail "hashed names are not told"

# Probes, and contexts.
printf 'main:15:2\n 1: 10\n 2: 5\n !CFGChecksum: 1234\nf:1:1\n 1: 1\n' > probe.text
"$llvm/llvm-profdata" merge --sample --extbinary probe.text -o probes
"$pgo" show probes | grep '^  kind  *by pseudo probe$' > /dev/null || fail "probes are not told"
"$pgo" show probes | grep '^  functions  *2, 1 of them without the checksum of their control flow$' > /dev/null ||
  fail "a missing checksum is not told"
"$pgo" show probes --json | grep '"checksum": 1234' > /dev/null || fail "the checksum is not shown"
"$pgo" show probes | grep ' probes of [0-9]* or more$' > /dev/null || fail "probes are called lines"
printf '[main]:15:2\n 1: 10\n[main:3 @ f]:7:1\n 1: 7\n' > context.text
"$llvm/llvm-profdata" merge --sample --extbinary context.text -o contexts
"$pgo" show contexts > shown
grep '^  kind  *by line, context-sensitive$' shown > /dev/null || { cat shown; fail "contexts are not told"; }
grep ' main:3 @ f$' shown > /dev/null || { cat shown; fail "a context has no name"; }

# A profile that ends early is an error.
status=0
head -c "$(($(wc -c < line.extbinary) - 1))" line.extbinary > cut
"$pgo" show cut > shown 2>&1 || status=$?
[ "$status" = 2 ] || fail "exit status $status for a file that is cut short"
grep 'is this LLVM sample profile cut short?$' shown > /dev/null || { cat shown; fail "no reason"; }
