/**
 * Occupancy of the curb (decision 047). curb_count_import: a file of counts with its report; its rows are in
 * curb_counts. curb_count_finding: rows that were set aside or have a remark. curb_count_place: places of a
 * file and their zones. curb_place_choice: users' choices of zones for places. curb_calibration: ratios of
 * counted to paid occupancy. Estimates exist from valid_from until before valid_until. curb_occupancy_region:
 * the inputs of the derived occupancy of a region.
 */
export const schema = {
  name: '015-curb-occupancy',
  sql: `
create table curb_count_import (
  import_id uuid primary key,
  region_id text not null references region (region_id) on delete cascade,
  file_name text not null,
  file_hash text not null,
  status text not null check (status in ('waiting', 'staging', 'staged', 'published', 'undone', 'failed')),
  problem text,
  layout text,
  options jsonb not null default '{}',
  report jsonb not null default '{}',
  files jsonb not null default '[]',
  lease_until timestamptz,
  created_by text not null,
  created_time timestamptz not null,
  published_by text,
  published_time timestamptz,
  undone_by text,
  undone_time timestamptz
);
create index curb_count_import_of on curb_count_import (region_id, created_time desc);
create table curb_count_finding (
  import_id uuid not null references curb_count_import (import_id) on delete cascade,
  region_id text not null,
  row integer not null,
  code text not null,
  is_set_aside boolean not null,
  message text not null,
  source text not null,
  primary key (import_id, row, code)
);
create table curb_count_place (
  import_id uuid not null references curb_count_import (import_id) on delete cascade,
  region_id text not null,
  place text not null,
  label text not null,
  rows integer not null,
  spaces double precision,
  match text not null,
  zone_ids jsonb not null,
  distance_m double precision,
  primary key (import_id, place)
);
create table curb_place_choice (
  region_id text not null references region (region_id) on delete cascade,
  place text not null,
  zone_ids jsonb not null,
  chosen_by text not null,
  chosen_time timestamptz not null,
  primary key (region_id, place)
);
create table curb_calibration (
  calibration_id uuid primary key,
  region_id text not null references region (region_id) on delete cascade,
  name text not null,
  zone_ids jsonb,
  bands jsonb not null,
  day_types jsonb not null,
  start_date text not null,
  end_date text not null,
  cells jsonb not null,
  valid_from text not null,
  valid_until text not null,
  expired jsonb,
  created_by text not null,
  created_time timestamptz not null
);
create index curb_calibration_of on curb_calibration (region_id, created_time desc);
create table curb_occupancy_region (
  region_id text primary key references region (region_id) on delete cascade,
  basis text not null,
  first_paid jsonb not null
);
`,
}
