# pgo fetch, pgo upload and the stand-ins of stores agree about the number of each field: with another number for any of
# them, what is fetched is not the same, or nothing.
. "$(dirname "$0")/../prelude.sh"
. "$here/servers_prelude.sh"
. "$here/stores_prelude.sh"
fleet

breaks_when_fields_change parca "fetches_all parca" Timestamp.seconds Label.name Label.value LabelSet.labels \
  ProfileTypesResponse.types ProfileType.name ProfileType.sample_type ProfileType.sample_unit \
  ProfileType.period_type ProfileType.period_unit ProfileType.delta LabelsRequest.start LabelsRequest.end \
  LabelsResponse.label_names QueryRangeRequest.query QueryRangeRequest.start QueryRangeRequest.end \
  QueryRangeResponse.series MetricsSeries.labelset MetricsSeries.samples \
  MetricsSample.timestamp QueryRequest.mode QueryRequest.merge QueryRequest.report_type MergeProfile.query \
  MergeProfile.start MergeProfile.end QueryResponse.pprof
breaks_when_fields_change parca "fetches_single $of_time" QueryRequest.single SingleProfile.time SingleProfile.query
breaks_when_fields_change pyroscope "fetches_all pyroscope" ProfileTypesRequest.start ProfileTypesRequest.end \
  ProfileTypesResponse.profile_types ProfileType.ID LabelNamesRequest.start LabelNamesRequest.end \
  LabelNamesResponse.names SeriesRequest.start SeriesRequest.end \
  SeriesResponse.labels_set Labels.labels LabelPair.name LabelPair.value SelectMergeProfileRequest.profile_typeID \
  SelectMergeProfileRequest.label_selector SelectMergeProfileRequest.start SelectMergeProfileRequest.end

python3 "$stand_ins/made_pprof.py" --names --time "$(date +%s)000000000" named.pb
echo '[]' > load.json
breaks_when_fields_change pyroscope "pushes pyroscope" PushRequest.series RawProfileSeries.labels RawProfileSeries.samples \
  RawSample.raw_profile
breaks_when_fields_change parca "pushes parca" WriteRawRequest.series RawProfileSeries.labels RawProfileSeries.samples \
  RawSample.raw_profile
