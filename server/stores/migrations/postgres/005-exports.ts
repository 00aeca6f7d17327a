/**
 * export: files of raw data. Exports of users have table_name and format; monthly zips have month and
 * version. question: the requested rows and columns. rows, total_rows: those of the file, or those read so
 * far while it is written. The name of the file in DATA_DIR/exports is the id. A running export has a
 * lease; attempts counts starts that ended with the process.
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
