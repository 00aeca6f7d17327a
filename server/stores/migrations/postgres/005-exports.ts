/**
 * export: files of raw data. Of a user: table_name and format; monthly zips: month and version. question: rows and columns, as they were
 * asked for. rows, total_rows: of the file, while it is written those that were read. The file in DATA_DIR/exports has the id as its name.
 * A run holds a lease; attempts counts starts of the process that did not end the run.
 */
export const schema = {
  name: '005-exports',
  sql: `
create table export (
  export_id uuid primary key,
  region_id text not null references region (region_id) on delete cascade,
  user_id text references "user" ("id") on delete cascade,
  table_name text,
  format text,
  question jsonb not null default '{}',
  is_exact boolean not null,
  month text,
  version integer,
  status text not null,
  rows bigint not null default 0,
  total_rows bigint,
  bytes bigint,
  sha256 text,
  problem text,
  attempts integer not null default 0,
  created_time timestamptz not null,
  started_time timestamptz,
  finished_time timestamptz,
  expires_time timestamptz,
  lease_owner text,
  lease_until timestamptz
);
create index export_of on export (region_id, user_id, created_time desc);
create index export_open on export (created_time) where status in ('queued', 'running');
create unique index export_month on export (region_id, month, version) where month is not null;
`,
}
