/**
 * curb_change_set: manual edits, one row per save. edits: the changes of each zone (contract/curb-edits.ts).
 * inventory_ids: the inventories of its zones, whose earlier published imports can no longer be undone.
 */
export const schema = {
  name: '018-curb-edits',
  sql: `
create table curb_change_set (
  change_set_id uuid primary key,
  region_id text not null references region (region_id) on delete cascade,
  change_time timestamptz not null,
  by_email text not null,
  note text not null,
  counts jsonb not null,
  edits jsonb not null,
  zone_ids jsonb not null,
  inventory_ids jsonb not null
);
create index curb_change_set_of on curb_change_set (region_id, change_time desc);
create index curb_change_set_zones on curb_change_set using gin (zone_ids);
`,
}
