/**
 * Hourly cubes of layers. cube_region: until when each hour that ended has been asked for. cube_hour_dirty: hours to be computed anew, of all
 * layers or ('' else its id) of one that failed; `noted` counts up, so that what is noted meanwhile is not forgotten. cube_layer: the content that is
 * computed, its shapes' keys, those of them that are still to be filled over all history, and between which hours.
 */
export const cubes = {
  name: '010-cubes',
  sql: `
create table cube_region (
  region_id text primary key references region (region_id) on delete cascade,
  ended_until timestamptz not null,
  swept_time timestamptz
);
create table cube_hour_dirty (
  region_id text not null references region (region_id) on delete cascade,
  layer_id text not null default '',
  hour timestamptz not null,
  noted bigint not null,
  primary key (region_id, layer_id, hour)
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
create index cube_layer_region on cube_layer (region_id);`,
}
