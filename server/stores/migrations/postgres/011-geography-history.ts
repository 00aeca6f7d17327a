/**
 * Every version of each shape, also of deleted ones: geometry where it changed, name, description, who and when; `kept` holds the rest of a
 * deleted shape. `row_hash`, `kind` and `bbox` let a layer be summed up without reading its geometries.
 */
export const geographyHistory = {
  name: '011-geography-history',
  sql: `
alter table layer add column modified_by text, add column vehicle_counts boolean not null default false;
alter table shape
  add column modified_by text,
  add column bbox jsonb,
  add column kind text generated always as (geometry ->> 'type') stored,
  add column row_hash text generated always as (md5(name || ' ' || coalesce(properties ->> 'class', '') || ' ' || geometry::text)) stored;
update shape set bbox = (
  select jsonb_build_array(min((at ->> 0)::float8), min((at ->> 1)::float8), max((at ->> 0)::float8), max((at ->> 1)::float8))
  from jsonb_path_query(geometry, 'strict $.coordinates.**') as at
  where jsonb_typeof(at) = 'array' and jsonb_typeof(at -> 0) = 'number'
);
create index shape_position on shape (layer_id, position, shape_uuid);
create table shape_version (
  shape_uuid uuid not null,
  version integer not null,
  region_id text not null references region (region_id) on delete cascade,
  layer_id uuid not null references layer (layer_id) on delete cascade,
  act text not null,
  changes jsonb not null,
  name text not null,
  description text,
  geometry jsonb,
  kept jsonb,
  valid_from timestamptz not null,
  changed_by text,
  primary key (shape_uuid, version)
);
create index shape_version_newest on shape_version (layer_id, valid_from desc, shape_uuid, version desc);
insert into shape_version (shape_uuid, version, region_id, layer_id, act, changes, name, description, geometry, valid_from, changed_by)
select g.shape_uuid, row_number() over earlier, s.region_id, s.layer_id,
  case when row_number() over earlier = 1 then 'created' else 'changed' end,
  case when row_number() over earlier = 1 then '["name", "geometry"]'::jsonb else '["geometry"]'::jsonb end,
  s.name, s.description, g.geometry, g.valid_from, g.changed_by
from shape_geometry g join shape s on s.shape_uuid = g.shape_uuid
window earlier as (partition by g.shape_uuid order by g.valid_from);
update shape set modified_by = v.changed_by
from (select distinct on (shape_uuid) shape_uuid, changed_by from shape_version order by shape_uuid, version desc) v
where v.shape_uuid = shape.shape_uuid;
drop table shape_geometry;`,
}
