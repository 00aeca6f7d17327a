/** What a region asks of operators, as its MDS Requirements tell it: who set it last and when, and which version of the file that is. Without a row nothing was set. */
export const requirements = {
  name: '018-requirements',
  sql: `
create table requirements (
  region_id text primary key references region (region_id) on delete cascade,
  programs jsonb not null,
  file_version integer not null,
  modified_time timestamptz not null,
  modified_by_email text not null
);`,
}
