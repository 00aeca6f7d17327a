/**
 * cds_token: a token for reading CDS events or metrics of a region. curb_session_region: the zones and
 * settings that the stored sums of sessions of a region depend on, and the day up to which they are marked.
 */
export const schema = {
  name: '009-curb-sessions',
  sql: `
create table cds_token (
  token_hash text primary key,
  region_id text not null references region (region_id) on delete cascade,
  access text not null check (access in ('events', 'metrics')),
  name text not null,
  hint text not null,
  created_by text,
  created_time timestamptz not null default now(),
  last_used_time timestamptz,
  revoked_time timestamptz
);
create table curb_session_region (
  region_id text primary key references region (region_id) on delete cascade,
  basis text not null,
  ended_day text not null
);
`,
}
