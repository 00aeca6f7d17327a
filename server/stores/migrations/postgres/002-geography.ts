/** Layers, shapes and every geometry that a shape had. */
export const geography = {
  name: '002-geography',
  sql: `
create table layer (
  layer_id uuid primary key,
  region_id text not null references region (region_id) on delete cascade,
  name text not null,
  slug text not null,
  level text,
  editable boolean not null default true,
  buffers jsonb not null default '[]',
  intersect_route boolean not null default false,
  hourly_processing jsonb not null default '[]',
  parking_duration_filters jsonb not null default '[1440, 2880, 4320, 14400]',
  has_overlaps boolean not null default false,
  geometry_type text not null default 'none',
  bbox jsonb,
  shape_count integer not null default 0,
  content_hash text not null,
  created_time timestamptz not null default now(),
  modified_time timestamptz not null default now(),
  unique (region_id, slug)
);
create table shape (
  shape_uuid uuid primary key,
  region_id text not null references region (region_id) on delete cascade,
  layer_id uuid not null references layer (layer_id) on delete cascade,
  position integer not null,
  shape_id text not null,
  name text not null,
  description text,
  geometry jsonb not null,
  properties jsonb not null default '{}',
  side_of_street text,
  created_time timestamptz not null default now(),
  modified_time timestamptz not null default now()
);
create index shape_layer on shape (layer_id, name);
create table shape_geometry (
  shape_uuid uuid not null references shape (shape_uuid) on delete cascade,
  region_id text not null,
  geometry jsonb not null,
  valid_from timestamptz not null,
  valid_until timestamptz,
  changed_by text,
  primary key (shape_uuid, valid_from)
);`,
}
