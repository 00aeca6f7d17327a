/**
 * derived_seal: spans before it are not derived again, because their facts were removed (decision 052).
 * retention_days: days for which rows of a category are stored; forever without a row. retention_limit: rows
 * before this local day are removed. waits_since: since when the removal waits for sums. salt: set while
 * vehicle ids are replaced. retention_hold: nothing is removed while there is an unreleased one.
 * export.operator: the export is a zip of all data about an operator.
 */
export const schema = {
  name: '021-retention',
  sql: `
alter table export add column operator text;
create table derived_seal (
  product text not null,
  region_id text not null references region (region_id) on delete cascade,
  before_span text not null,
  primary key (region_id, product)
);
create table retention_days (
  region_id text not null references region (region_id) on delete cascade,
  category text not null,
  days integer not null check (days > 0),
  primary key (region_id, category)
);
create table retention_limit (
  region_id text not null references region (region_id) on delete cascade,
  category text not null,
  before_day text not null,
  sealed_time timestamptz not null,
  waits_since timestamptz,
  salt text,
  primary key (region_id, category)
);
create table retention_hold (
  hold_id uuid primary key default gen_random_uuid(),
  region_id text not null references region (region_id) on delete cascade,
  reason text not null,
  set_by text not null,
  set_time timestamptz not null,
  released_by text,
  released_time timestamptz
);
create unique index retention_hold_open on retention_hold (region_id) where released_time is null;
create table retention_run (
  run_id uuid primary key default gen_random_uuid(),
  region_id text not null references region (region_id) on delete cascade,
  started_time timestamptz not null,
  ended_time timestamptz not null,
  started_by text,
  outcome text not null,
  steps jsonb not null
);
create index retention_run_newest on retention_run (region_id, started_time desc);
`,
}
