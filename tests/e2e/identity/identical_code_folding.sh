# Two functions at one address: which name gets the counts?
. "$(dirname "$0")/../oracle.sh"

compile() {
  build -ffunction-sections -Wl,--icf=all
  [ "$(nm prog | grep -cE "_Z13(same_as_other|other_as_same)l" )" = 2 ]
  [ "$(nm prog | grep -E "_Z13(same_as_other|other_as_same)l" | cut -d" " -f1 | uniq | wc -l)" = 1 ]
}

compare_with_reference_tools
