/** The second half of the schema: data of cities and operators, and rules about it. */
export const dataAndRules = `
-- Mobility.
-- derived_span: spans of derived products (decision 027): an hour, a day or a run of one region; part: of one
-- part only, such as a layer that failed. wanted counts marks, done is the version that was derived, so that
-- what is marked during a derivation stays dirty. dirty_since: when it became dirty.
-- cube_region: up to when every ended hour was marked. cube_layer: the content that is computed, the keys of
-- its shapes, those that are still to be filled over all history, and between which hours.
create table derived_span (
  product text not null,
  region_id text not null references region (region_id) on delete cascade,
  part text not null default '',
  span text not null,
  wanted bigint not null,
  done bigint not null default 0,
  dirty_since timestamptz not null,
  primary key (product, region_id, part, span)
);
create index derived_span_dirty on derived_span (product, region_id, part, span) where done < wanted;
-- job_day: runs of a background job on one UTC day, of all servers, with the last run and the last failure.
create table job_day (
  job text not null,
  day text not null,
  runs integer not null,
  failures integer not null,
  worked_ms bigint not null,
  last_started timestamptz not null,
  last_ms integer not null,
  last_problem text,
  last_problem_time timestamptz,
  primary key (job, day)
);
create table cube_region (
  region_id text primary key references region (region_id) on delete cascade,
  ended_until timestamptz not null,
  swept_time timestamptz
);
create table cube_layer (
  layer_id uuid primary key references layer (layer_id) on delete cascade,
  region_id text not null references region (region_id) on delete cascade,
  content_hash text not null,
  basis text not null,
  keys jsonb not null default '[]',
  missing jsonb not null default '[]',
  fill_from timestamptz,
  fill_until timestamptz,
  done_hours integer not null default 0,
  total_hours integer not null default 0,
  status text not null,
  problem text,
  changed_time timestamptz not null
);
create index cube_layer_region on cube_layer (region_id);

-- Issues.
-- version_time, observed_time and content_hash decide which version of an issue is the newer one.
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

-- Weather.
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

-- Policies.
-- policy has a row per revision. A revision that was never published is the draft of its policy and changes in
-- place; a published one never changes: "mds" is its body as it is in the feed, "grounds" lists its
-- geographies, which are frozen at its publication. Money in "fields" is in minor units of "currency".
-- requirements: no row means that the region requires nothing of operators.
create table policy (
  policy_id uuid primary key,
  constant_policy_id uuid not null,
  revision integer not null,
  region_id text not null references region (region_id) on delete cascade,
  fields jsonb not null,
  currency text not null,
  published boolean not null default false,
  published_time timestamptz,
  published_by_email text,
  effective_time timestamptz,
  superseded_time timestamptz,
  unpublished_time timestamptz,
  prev_policy_id uuid,
  mds jsonb,
  grounds jsonb not null default '[]',
  -- The revision as another agency's feed published it: shows whether the feed or a user changed it since.
  -- Null: not imported.
  imported jsonb,
  is_deleted boolean not null default false,
  created_time timestamptz not null,
  created_by_email text,
  modified_time timestamptz not null,
  modified_by_email text,
  unique (constant_policy_id, revision)
);
create index policy_of_region on policy (region_id);
create unique index policy_in_feed on policy (constant_policy_id) where published;
create unique index policy_draft on policy (constant_policy_id) where published_time is null;
create table policy_geography (
  geography_id uuid primary key,
  region_id text not null references region (region_id) on delete cascade,
  source text not null,
  name text not null,
  description text,
  geography_type text not null,
  geography_json jsonb not null,
  content_hash text not null,
  prev_geography_id uuid,
  published_time timestamptz not null,
  unique (region_id, source, content_hash)
);
create table requirements (
  region_id text primary key references region (region_id) on delete cascade,
  programs jsonb not null,
  file_version integer not null,
  modified_time timestamptz not null,
  modified_by_email text not null
);

-- Ingest: imported files, and mappings by the header of a file.
create table import (
  import_id uuid primary key,
  region_id text not null references region (region_id) on delete cascade,
  kind text not null default 'trips',
  file_name text not null,
  file_path text not null,
  bytes bigint not null,
  content_hash text not null,
  header_hash text not null,
  status text not null,
  layout text,
  mapping jsonb,
  asks jsonb not null default '[]',
  given jsonb not null default '{}',
  -- What the whole file says before its rows are stored: their number, and the possible orders of its dates.
  survey jsonb,
  rows_read bigint not null default 0,
  rows_accepted bigint not null default 0,
  rows_flagged bigint not null default 0,
  rows_set_aside bigint not null default 0,
  flags jsonb not null default '{}',
  reasons jsonb not null default '{}',
  chunks integer not null default 0,
  -- Starts since the last stored chunk: an import that ends its process every time is given up.
  attempts integer not null default 0,
  progress double precision not null default 0,
  problem text,
  notes jsonb not null default '[]',
  created_by text,
  created_time timestamptz not null default now(),
  started_time timestamptz,
  finished_time timestamptz,
  run_rows bigint not null default 0,
  lease_owner text,
  lease_until timestamptz
);
create index import_region on import (region_id, created_time desc);
create index import_content on import (region_id, content_hash);
create table import_mapping (
  organization_id uuid not null references organization (organization_id) on delete cascade,
  header_hash text not null,
  mapping jsonb not null,
  changed_time timestamptz not null default now(),
  primary key (organization_id, header_hash)
);

-- Feeds.
-- feed_piece: the pull windows of a feed. agency_token: tokens with which operators push. gbfs_body: the newest
-- response of each GBFS endpoint.
create table feed (
  feed_id uuid primary key default gen_random_uuid(),
  region_id text not null references region (region_id) on delete cascade,
  operator text,
  kind text not null,
  version text not null,
  name text not null,
  url text,
  auth_kind text not null default 'none',
  sealed_secrets text,
  settings jsonb not null default '{}',
  interval_seconds integer not null,
  promised_minutes integer not null,
  enabled boolean not null default true,
  created_time timestamptz not null default now(),
  last_attempt_time timestamptz,
  last_success_time timestamptz,
  last_record_time timestamptz,
  problem text,
  problem_since timestamptz,
  -- The one server that pulls this feed, where several share the stores.
  lease_owner text,
  lease_until timestamptz
);
create index feed_region on feed (region_id);
create table feed_piece (
  feed_id uuid not null references feed (feed_id) on delete cascade,
  region_id text not null,
  stream text not null,
  piece timestamptz not null,
  status text not null,
  tries integer not null default 0,
  next_time timestamptz not null,
  records integer not null default 0,
  problem text,
  done_time timestamptz,
  primary key (feed_id, stream, piece)
);
create index feed_piece_open on feed_piece (next_time) where status <> 'done';
create table agency_token (
  token_hash text primary key,
  feed_id uuid not null references feed (feed_id) on delete cascade,
  region_id text not null,
  hint text not null,
  created_by text,
  created_time timestamptz not null default now(),
  last_used_time timestamptz,
  revoked_time timestamptz
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

-- Health.
-- health_day: the counts of a local day; facts: the count of changes of the facts that they were made from,
-- with which they are out of date once it differs. An incident opens once per rule and subject.
create table health_day (
  region_id text not null references region (region_id) on delete cascade,
  kind text not null,
  day text not null,
  body jsonb not null,
  made_time timestamptz not null,
  facts bigint not null,
  primary key (region_id, kind, day)
);
create table incident (
  incident_id uuid primary key default gen_random_uuid(),
  region_id text not null references region (region_id) on delete cascade,
  rule text not null,
  operator text not null,
  feed_id uuid references feed (feed_id) on delete set null,
  subject text not null,
  opened_time timestamptz not null,
  closed_time timestamptz,
  value double precision,
  worst double precision,
  told double precision,
  acknowledged_by text,
  acknowledged_time timestamptz
);
create unique index incident_open on incident (region_id, rule, subject) where closed_time is null;
create index incident_newest on incident (region_id, opened_time desc);
create table incident_step (
  step_id uuid primary key default gen_random_uuid(),
  incident_id uuid not null references incident (incident_id) on delete cascade,
  region_id text not null,
  at timestamptz not null,
  step text not null,
  value double precision,
  by_email text,
  text text,
  number bigint generated always as identity
);
create index incident_step_of on incident_step (incident_id, number);

-- Compliance.
-- compliance_day: what a revision measured on a day that is over, and from which derivation of facts ("noted").
-- alert_told: how many violations of a day were sent to whom (told_to: a user by mail, or a webhook), so that
-- none is sent twice; written in one transaction with the notifications.
create table compliance_day (
  region_id text not null references region (region_id) on delete cascade,
  policy_id uuid not null references policy (policy_id) on delete cascade,
  day text not null,
  noted bigint not null,
  body jsonb not null,
  primary key (policy_id, day)
);
create table alert_told (
  region_id text not null references region (region_id) on delete cascade,
  told_to text not null,
  constant_policy_id uuid not null,
  operator text not null,
  shape text not null,
  day text not null,
  violations integer not null,
  primary key (region_id, told_to, constant_policy_id, operator, shape, day)
);

-- Notifications.
-- subscription: what a user wants to be notified of (topic), by mail or webhook; without a region: in all that
-- the user sees. A replaced secret of a webhook signs beside the new one until previous_until. notification: a
-- message and its delivery; claimed_time: since when it is being sent.
create table subscription (
  subscription_id uuid primary key default gen_random_uuid(),
  organization_id uuid not null references organization (organization_id) on delete cascade,
  user_id text not null references "user" (id) on delete cascade,
  topic text not null,
  region_id text references region (region_id) on delete cascade,
  constant_policy_id uuid,
  operator text,
  channel text not null,
  cadence text not null,
  url text,
  sealed_secret text,
  previous_sealed_secret text,
  previous_until timestamptz,
  disabled_time timestamptz,
  token uuid not null unique default gen_random_uuid(),
  first_day text,
  digest_day text,
  created_time timestamptz not null default now()
);
create unique index subscription_one on subscription (user_id, topic, coalesce(region_id, ''), coalesce(constant_policy_id::text, ''), coalesce(operator, ''), channel, coalesce(url, ''));
create index subscription_of_region on subscription (region_id);
create table notification (
  notification_id uuid primary key default gen_random_uuid(),
  region_id text not null references region (region_id) on delete cascade,
  user_id text not null references "user" (id) on delete cascade,
  subscription_id uuid references subscription (subscription_id) on delete cascade,
  kind text not null,
  is_test boolean not null default false,
  payload jsonb not null default '{}',
  title text,
  item_count integer not null default 0,
  created_time timestamptz not null,
  state text not null,
  tries integer not null default 0,
  next_time timestamptz,
  claimed_time timestamptz,
  done_time timestamptz,
  http_status integer,
  problem text
);
create index notification_of on notification (subscription_id, created_time desc);
create index notification_open on notification (next_time) where state in ('waiting', 'sending');`
