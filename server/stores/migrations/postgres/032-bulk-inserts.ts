/**
 * Removes foreign keys to the layer and inventory, whose checks for every row took a sixth of the time of a
 * curb publication. Shapes and their versions are deleted with their layer by a trigger; zones, links and
 * capacities are deleted with their region. All these rows are written in transactions that have locked the
 * layer, or the import with its inventory.
 */
export const schema = {
  name: '032-bulk-inserts',
  sql: `
alter table shape drop constraint shape_layer_id_fkey;
alter table shape_version drop constraint shape_version_layer_id_fkey;
alter table curb_zone drop constraint curb_zone_inventory_id_fkey;
create function delete_shapes_of_layer() returns trigger language plpgsql as $body$
begin
  delete from shape where layer_id = old.layer_id;
  delete from shape_version where layer_id = old.layer_id;
  return old;
end $body$;
create trigger shapes_are_deleted_with_layer before delete on layer
  for each row execute function delete_shapes_of_layer();
create or replace function delete_curb_of_region() returns trigger language plpgsql as $body$
begin
  delete from curb_zone_policy where region_id = old.region_id;
  delete from curb_capacity where region_id = old.region_id;
  delete from curb_zone where region_id = old.region_id;
  return old;
end $body$;
`,
}
