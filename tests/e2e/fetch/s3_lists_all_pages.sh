# A list of 1 101 keys comes in two pages, and none is lost.
source "$(dirname "$0")/../prelude.sh"
source "$here/servers_prelude.sh"
need s3_objects
start_moto

s3_python << 'END'
s3.create_bucket(Bucket="profiles")
for i in range(1101):
    s3.put_object(Bucket="profiles", Key=f"queryd/{i // 1000}/{i:04}.pb", Body=str(i))
s3.put_object(Bucket="profiles", Key="queryd2/other.pb", Body="other")
s3.put_object(Bucket="profiles", Key="queryd/", Body="")
END
s3_objects list s3://profiles/queryd > listed
[ "$(wc -l < listed)" = 1101 ]
{ seq -f 0/%04g.pb 0 999; seq -f 1/%04g.pb 1000 1100; } | cmp - <(cut -d ' ' -f 1 listed)
[ "$(grep -c 'GET /profiles?.*list-type=2' moto.log)" = 2 ]

s3_objects get s3://profiles/queryd/1 got
for i in $(seq 1000 1100); do
  [ "$(< "got/$i.pb")" = "$i" ]
done
stop_servers
