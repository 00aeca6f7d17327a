/** Trip files on their way in, and the mappings remembered by header. */
export const imports = {
  name: '003-imports',
  sql: `
create table import (
  import_id uuid primary key,
  region_id text not null references region (region_id) on delete cascade,
  file_name text not null,
  file_path text not null,
  bytes bigint not null,
  content_hash text not null,
  header_hash text not null,
  status text not null,
  layout text,
  mapping jsonb,
  rows_read bigint not null default 0,
  rows_accepted bigint not null default 0,
  rows_flagged bigint not null default 0,
  rows_set_aside bigint not null default 0,
  flags jsonb not null default '{}',
  reasons jsonb not null default '{}',
  chunks integer not null default 0,
  progress double precision not null default 0,
  problem text,
  notes jsonb not null default '[]',
  created_by text,
  created_time timestamptz not null default now(),
  started_time timestamptz,
  finished_time timestamptz,
  run_rows bigint not null default 0,
  lease_owner text,
  lease_until timestamptz
);
create index import_region on import (region_id, created_time desc);
create index import_content on import (region_id, content_hash);
create table import_mapping (
  organization_id uuid not null references organization (organization_id) on delete cascade,
  header_hash text not null,
  mapping jsonb not null,
  changed_time timestamptz not null default now(),
  primary key (organization_id, header_hash)
);`,
}
