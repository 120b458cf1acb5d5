# Interpreters and virtual machines under single steps do what they do without, and programs under a debugger are left
# alone.
. "$(dirname "$0")/../prelude.sh"
need python3

cat > work.py <<'END'
import os, signal, subprocess, sys, threading

def work(out):
    total = 0
    for i in range(400000):
        total += i * i % 7
    out.append(total)

results = []
threads = [threading.Thread(target=work, args=(results,)) for _ in range(2)]
for thread in threads:
    thread.start()
work(results)
for thread in threads:
    thread.join()
assert len(set(results)) == 1, results
# A child by fork and exec, one by a shell, and one by fork alone.
assert subprocess.run([sys.executable, "-c", "print(sum(range(3000000)))"], capture_output=True,
                      check=True).stdout == b"4499998500000\n"
assert os.system("exit 3") == 3 << 8
child = os.fork()
if child == 0:
    work(results)
    os._exit(results[-1] == results[0] and 4)
assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 4
assert all(signal.getsignal(number) == signal.SIG_DFL for number in (signal.SIGTRAP, signal.SIGRTMAX - 3))
print(results[0])
END
python=$(python3 -c 'import sys; print(sys.executable)')
step() { "$pgo" record --engine step --overhead 50 --period "$(period 1000003)" -o perf.data -- "$@"; }
"$python" work.py > alone.txt
step "$python" work.py > stepped.txt 2> record.log || { cat record.log; fail "python fails"; }
cmp alone.txt stepped.txt
grep -Eq ' [1-9][0-9 ]* samples from [0-9]+ threads in [0-9]+ processes; ' record.log

if command -v java > /dev/null; then
  cat > Work.java <<'END'
public class Work {
  static volatile Object last;
  public static void main(String[] arguments) throws Exception {
    Thread[] threads = new Thread[3];
    long[] results = new long[threads.length];
    for (int t = 0; t < threads.length; t++) {
      int number = t;
      threads[t] = new Thread(() -> {
        long total = 0;
        for (int i = 0; i < 20000000; i++) {
          total += i % 7 * (i & 3);
          if (i % 1000 == 0) last = new byte[500];
        }
        results[number] = total;
      });
      threads[t].start();
    }
    for (Thread thread : threads) thread.join();
    int caught = 0;
    for (int i = 0; i < 1000; i++) {
      try {
        ((Object) (i < 0 ? "" : null)).hashCode();
      } catch (NullPointerException expected) {
        caught++;
      }
    }
    System.out.println(results[0] + " " + (results[1] == results[2]) + " " + caught);
  }
}
END
  java -XX:+UseSerialGC Work.java > alone.txt
  step java -XX:+UseSerialGC Work.java > stepped.txt 2> record.log || { cat record.log; fail "java fails"; }
  cmp alone.txt stepped.txt
fi

if command -v node > /dev/null; then
  echo 'let t = 0; for (let i = 0; i < 3e7; i++) t += i % 7; console.log(t, JSON.stringify([..."abc"]));' > work.js
  node work.js > alone.txt
  step node work.js > stepped.txt 2> record.log || { cat record.log; fail "node fails"; }
  cmp alone.txt stepped.txt
fi

if command -v strace > /dev/null; then
  step strace -f -o trace.txt "$python" -c 'print(sum(range(3000000)))' > out.txt 2> record.log
  grep -qx 4499998500000 out.txt
  grep -Eq '^pgo: warning: process [0-9]+ \(python[0-9.]*\) is not recorded: a debugger traces it$' record.log
fi
