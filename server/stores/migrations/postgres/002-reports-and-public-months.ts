/**
 * report_region: the inputs of a region's stored report facts, and the local day up to which all past days
 * were marked.
 * region.public_routes_from, public_routes_until: first and last public month, YYYY-MM; null for no limit.
 */
export const schema = {
  name: '002-reports-and-public-months',
  sql: `
create table report_region (
  region_id text primary key references region (region_id) on delete cascade,
  basis text not null,
  ended_day text not null
);
alter table region
  add column if not exists public_routes_from text,
  add column if not exists public_routes_until text;
`,
}
