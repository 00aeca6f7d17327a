/**
 * curb_location: a place of payments, and the curb zone that it is linked to.
 * curb_payment_vendor: the mapping of a vendor's files, and the header for which it was confirmed.
 * curb_payment_import: one file. file_path: where the file is until publication. counts: `PaymentCounts`.
 * places: locations in the file. lease_until: until then, the server that works on it is considered alive.
 */
export const schema = {
  name: '014-curb-payments',
  sql: `
create table curb_location (
  region_id text not null references region (region_id) on delete cascade,
  location_id text not null,
  kind text not null,
  name text not null,
  lon double precision,
  lat double precision,
  spaces integer,
  curb_zone_id text,
  is_linked_by_hand boolean not null default false,
  updated_time timestamptz not null,
  primary key (region_id, location_id)
);
create table curb_payment_vendor (
  region_id text not null references region (region_id) on delete cascade,
  vendor text not null,
  mapping jsonb not null,
  header jsonb not null,
  primary key (region_id, vendor)
);
create table curb_payment_import (
  import_id uuid primary key,
  region_id text not null references region (region_id) on delete cascade,
  vendor text not null,
  file_name text not null,
  file_hash text not null,
  file_path text,
  status text not null check (status in ('waiting', 'staging', 'staged', 'publishing', 'published', 'undoing', 'undone', 'failed')),
  problem text,
  mapping jsonb,
  counts jsonb not null default '{}',
  places jsonb not null default '[]',
  first_day text,
  last_day text,
  created_by text not null,
  created_time timestamptz not null,
  published_time timestamptz,
  undone_time timestamptz,
  lease_until timestamptz
);
create index curb_payment_import_of on curb_payment_import (region_id, created_time);
alter table cds_token drop constraint cds_token_access_check;
alter table cds_token add constraint cds_token_access_check check (access in ('events', 'metrics', 'payments'));
`,
}
