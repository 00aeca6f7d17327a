/** Operators' feeds, what was fetched of them hour by hour, and the tokens with which operators push. */
export const feeds = {
  name: '005-feeds',
  sql: `
alter table operator add column provider_id uuid;
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
  problem_since timestamptz
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
);`,
}
