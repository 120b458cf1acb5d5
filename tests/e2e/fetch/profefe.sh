# pgo fetch takes profiles of profefe: each by itself, with labels and times.
. "$(dirname "$0")/../prelude.sh"
. "$here/servers_prelude.sh"
. "$here/stores_prelude.sh"
fleet

summary() { members | cut -d ' ' -f 2-6 | sort | uniq -c | tr -s ' '; }
all=' 2 queryd web-1 1.42 167 11223344
 2 queryd web-1 1.42 170 11223344
 2 queryd web-2 1.42 107 11223344
 2 queryd web-2 1.42 110 11223344'

for form in '' --labels-as-objects; do
  start_stand_in profefe --load load.json $form
  fetch 0 --service queryd "profefe+http://$store"
  expect "members" "$all" "$(summary)"
  fetch 0 --label host=db-1 "profefe+http://$store"
  expect "members of another service" " 1 other db-1 None 170 11223344" "$(summary)"
  # Labels are asked for.
  grep -q 'labels=host%3Ddb-1' requests.log
  # What is in the cache is not fetched again.
  fetch 0 --service queryd "profefe+http://$store"
  : > requests.log
  "$pgo" fetch "${window[@]}" --service queryd "profefe+http://$store" -o bundle > said 2>&1
  expect "profiles fetched again" 0 "$(grep -c '/api/0/profiles/' requests.log)"
  fetch 2 --service unknown "profefe+http://$store"
  grep -qF "profefe+http://$store: found no profiles (from 2026-11-26T13:00:00Z to 2026-11-26T15:00:00Z); check the window, the service and the labels" said
  end_stand_in
done
