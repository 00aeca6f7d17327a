/**
 * What a city gets beside its fleets: 311 issues with the history of their status, the weather of each day, and the newest bodies of
 * GBFS feeds. `version_time`, `observed_time` and `content_hash` tell which version of an issue is the newer one. Imports learn kinds.
 */
export const issuesWeather = {
  name: '008-issues-weather',
  sql: `
create table issue (
  region_id text not null references region (region_id) on delete cascade,
  source text not null,
  issue_id text not null,
  service_code text not null,
  service_name text not null,
  description text not null default '',
  status text not null,
  source_status text not null,
  requested_time timestamptz not null,
  updated_time timestamptz,
  told_closed_time timestamptz,
  closed_time timestamptz,
  resolution_hours double precision,
  address text,
  lat double precision,
  lon double precision,
  districts jsonb not null default '{}',
  history jsonb not null default '[]',
  imports jsonb not null default '[]',
  first_seen timestamptz not null,
  version_time timestamptz not null,
  observed_time timestamptz not null,
  content_hash text not null,
  primary key (region_id, source, issue_id)
);
create index issue_requested on issue (region_id, requested_time desc, source, issue_id);
create index issue_service on issue (region_id, service_code, requested_time desc);
create index issue_status on issue (region_id, status, requested_time desc);
create index issue_one on issue (region_id, issue_id);
create table weather_day (
  region_id text not null references region (region_id) on delete cascade,
  day text not null,
  source text not null,
  kind text not null,
  place text not null default '',
  precipitation_mm double precision,
  snowfall_mm double precision,
  snow_depth_mm double precision,
  temperature_max_c double precision,
  temperature_min_c double precision,
  temperature_mean_c double precision,
  wind_max_kmh double precision,
  imports jsonb not null default '[]',
  observed_time timestamptz not null,
  primary key (region_id, day, source)
);
create table gbfs_body (
  region_id text not null references region (region_id) on delete cascade,
  feed_id uuid not null references feed (feed_id) on delete cascade,
  operator text not null,
  endpoint text not null,
  body text not null,
  content_hash text not null,
  last_updated timestamptz,
  received_time timestamptz not null,
  primary key (feed_id, endpoint)
);
create index gbfs_body_region on gbfs_body (region_id, endpoint);
alter table import add column kind text not null default 'trips';
alter table import add column asks jsonb not null default '[]';
alter table import add column given jsonb not null default '{}';`,
}
