/** invoice_count: operators' own counts for their invoices. figures: rows with the lines that they refer to. */
export const schema = {
  name: '013-invoice-counts',
  sql: `
create table invoice_count (
  count_id uuid primary key default gen_random_uuid(),
  region_id text not null,
  invoice_id uuid not null references invoice (invoice_id) on delete cascade,
  at timestamptz not null,
  by_email text not null,
  is_operator boolean not null,
  file_name text,
  figures jsonb not null
);
create index invoice_count_of on invoice_count (invoice_id, at);
`,
}
