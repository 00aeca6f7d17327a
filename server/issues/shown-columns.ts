/** What a list of issues shows: history stays behind until one issue is asked for. */
export const shownColumns = [
  'region_id', 'source', 'issue_id', 'service_code', 'service_name', 'description', 'status', 'source_status', 'requested_time', 'updated_time', 'told_closed_time', 'closed_time', 'resolution_hours', 'address', 'lat', 'lon', 'districts',
  'first_seen', 'version_time', 'observed_time', 'content_hash',
] as const
