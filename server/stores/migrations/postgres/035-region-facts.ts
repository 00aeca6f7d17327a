/**
 * Versions of facts get a table of their own: they change every ten seconds in each region with feeds, and
 * every write to `region` would make the servers reload all viewers, keys and layers.
 */
export const schema = {
  name: '035-region-facts',
  sql: `
create table region_facts (
  region_id text primary key references region (region_id) on delete cascade,
  facts_version bigint not null
);
insert into region_facts (region_id, facts_version) select region_id, facts_version from region;
alter table region drop column facts_version;
`,
}
