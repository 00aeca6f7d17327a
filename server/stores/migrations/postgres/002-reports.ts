/** report_region: what the stored facts of reports depend on, and up to which local day every day that is over was marked. */
export const schema = {
  name: '002-reports',
  sql: `
create table report_region (
  region_id text primary key references region (region_id) on delete cascade,
  basis text not null,
  ended_day text not null
);
`,
}
