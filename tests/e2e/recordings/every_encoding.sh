# One recording as a file, as a pipe and compressed, with and without what newer processors add to a
# branch stack: the same profile.
. "$(dirname "$0")/../perturbed_recording.sh"

recording_from_text --pipe rare.perf < plain.txt
unchanged rare.perf

{ grep '^event' plain.txt; echo start_compressed; grep -v '^event' plain.txt; echo "end_compressed plain=1000"; } > rare.txt
recording_from_text rare.perf < rare.txt
unchanged rare.perf
recording_from_text --pipe rare.perf < rare.txt
unchanged rare.perf

for type in ip,tid,time,period,branch identifier,ip,tid,time,id,cpu,read,callchain,branch,weight; do
  for branch in user,any,hw_index user,any,counters user,any,hw_index,counters; do
    sed "s/^event .*/event type=$type branch=$branch flags=sample_id_all ids=5/" plain.txt > rare.txt
    recording_from_text rare.perf < rare.txt
    unchanged rare.perf
  done
done

# llvm-profgen would write a context-sensitive profile of this one.
sed "s/^event .*/event type=ip,tid,time,callchain,branch branch=user,any flags=sample_id_all/
  s/^\(sample .* ip=\(0x[0-9a-f]*\)\) /\1 callchain=\2,0x400000 /" plain.txt > rare.txt
recording_from_text rare.perf < rare.txt
unchanged rare.perf
compat_gives_up rare.perf
grep -i 'call stacks\|context' compat.log > /dev/null || { cat compat.log; fail "--compat does not say why"; }
