/**
 * Removes foreign keys to the region, whose checks for every row took a fifth of the time of a curb
 * publication. Zones, shapes and their versions are deleted with their inventory or layer, which belongs to
 * the region; links and capacities of zones are deleted by a trigger. All these rows are written in
 * transactions that have looked up the region.
 */
export const schema = {
  name: '031-curb-deletes',
  sql: `
alter table curb_zone drop constraint curb_zone_region_id_fkey;
alter table shape drop constraint shape_region_id_fkey;
alter table shape_version drop constraint shape_version_region_id_fkey;
alter table curb_zone_policy drop constraint curb_zone_policy_region_id_fkey;
alter table curb_capacity drop constraint curb_capacity_region_id_fkey;
create function delete_curb_of_region() returns trigger language plpgsql as $body$
begin
  delete from curb_zone_policy where region_id = old.region_id;
  delete from curb_capacity where region_id = old.region_id;
  return old;
end $body$;
create trigger curb_is_deleted_with_region before delete on region
  for each row execute function delete_curb_of_region();
`,
}
