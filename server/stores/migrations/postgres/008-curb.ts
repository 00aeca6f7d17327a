/**
 * The Curb Manager (decision 041). curb_settings: settings of a region, and a version that increases with
 * each change of its curb data. curb_inventory: a repeatedly imported source of curb data, or 'drawn'.
 * curb_import, curb_import_row: files with the report of their rows. staged: what would be published. prior:
 * what a published row replaced. curb_zone, curb_place: zones, and areas, spaces and objects of CDS. record
 * has the CDS fields without a column. The past of rows never changes: they end (end_time), and import_id and
 * ended_by name the imports that created and ended them (previous_end: the end before), so that an import can
 * be undone completely. source_id: the id of the record in its inventory. curb_capacity: the number of spaces
 * of a zone from a time on. curb_policy: regulations; published ones never change. zone_ids: where a draft
 * will apply. curb_zone_policy: where and when a policy applied.
 */
export const schema = {
  name: '008-curb',
  sql: `
create table curb_settings (
  region_id text primary key references region (region_id) on delete cascade,
  settings jsonb not null default '{}',
  version bigint not null default 0,
  layer_id uuid references layer (layer_id) on delete set null
);
create table curb_inventory (
  inventory_id uuid primary key,
  region_id text not null references region (region_id) on delete cascade,
  name text not null,
  kind text not null check (kind in ('drawn', 'cds', 'curblr', 'table', 'signs')),
  settings jsonb not null default '{}',
  created_time timestamptz not null,
  unique (region_id, name)
);
create table curb_import (
  import_id uuid primary key,
  region_id text not null references region (region_id) on delete cascade,
  inventory_id uuid not null references curb_inventory (inventory_id) on delete cascade,
  file_name text not null,
  file_hash text not null,
  status text not null check (status in ('staged', 'published', 'undone', 'failed')),
  problem text,
  counts jsonb not null default '{}',
  created_by text not null,
  created_time timestamptz not null,
  published_by text,
  published_time timestamptz,
  undone_by text,
  undone_time timestamptz,
  effective_time timestamptz
);
create index curb_import_of on curb_import (region_id, created_time desc);
create table curb_import_row (
  import_id uuid not null references curb_import (import_id) on delete cascade,
  region_id text not null,
  row integer not null,
  kind text not null,
  record_id text not null,
  outcome text not null check (outcome in ('accepted', 'repaired', 'refused')),
  findings jsonb not null,
  source jsonb not null,
  staged jsonb,
  prior jsonb,
  confidence real,
  primary key (import_id, row)
);
create table curb_zone (
  region_id text not null references region (region_id) on delete cascade,
  curb_zone_id text not null,
  shape_uuid uuid not null,
  inventory_id uuid not null references curb_inventory (inventory_id) on delete cascade,
  source_id text not null,
  street_name text not null,
  street_side text,
  geometry jsonb not null,
  west double precision not null,
  south double precision not null,
  east double precision not null,
  north double precision not null,
  length_cm integer not null,
  record jsonb not null,
  start_time timestamptz not null,
  end_time timestamptz,
  published_time timestamptz not null,
  updated_time timestamptz not null,
  import_id uuid,
  ended_by uuid,
  previous_end timestamptz,
  primary key (region_id, curb_zone_id)
);
create index curb_zone_of on curb_zone (inventory_id);
create table curb_capacity (
  region_id text not null references region (region_id) on delete cascade,
  curb_zone_id text not null,
  start_time timestamptz not null,
  capacity integer not null,
  basis text not null check (basis in ('marked', 'length')),
  vehicle_length_cm integer,
  import_id uuid,
  primary key (region_id, curb_zone_id, start_time)
);
create table curb_place (
  region_id text not null references region (region_id) on delete cascade,
  kind text not null check (kind in ('area', 'space', 'object')),
  place_id text not null,
  curb_zone_id text,
  inventory_id uuid not null references curb_inventory (inventory_id) on delete cascade,
  geometry jsonb not null,
  record jsonb not null,
  start_time timestamptz not null,
  end_time timestamptz,
  published_time timestamptz not null,
  updated_time timestamptz not null,
  import_id uuid,
  ended_by uuid,
  previous_end timestamptz,
  primary key (region_id, kind, place_id, start_time)
);
create table curb_policy (
  region_id text not null references region (region_id) on delete cascade,
  curb_policy_id text not null,
  signature text not null,
  status text not null check (status in ('saved', 'published', 'unpublished')),
  name text not null,
  policy jsonb not null,
  zone_ids jsonb,
  replaces text,
  import_id uuid,
  created_by text not null,
  created_time timestamptz not null,
  modified_time timestamptz not null,
  published_by text,
  published_time timestamptz,
  unpublished_time timestamptz,
  primary key (region_id, curb_policy_id)
);
create index curb_policy_signature on curb_policy (region_id, signature);
create table curb_zone_policy (
  region_id text not null references region (region_id) on delete cascade,
  curb_zone_id text not null,
  curb_policy_id text not null,
  start_time timestamptz not null,
  end_time timestamptz,
  import_id uuid,
  ended_by uuid,
  previous_end timestamptz,
  primary key (region_id, curb_zone_id, curb_policy_id, start_time)
);
create index curb_zone_policy_of on curb_zone_policy (region_id, curb_policy_id);
`,
}
