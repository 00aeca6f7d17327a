/**
 * billing_charge: charges other than those of policies, on the invoices of an operator, or of all (null).
 * fields: as in the contract; amounts are in the region's currency at that time.
 * billing_quantity: a reported quantity of a month, such as devices or revenue, as decimal text.
 */
export const schema = {
  name: '012-charges',
  sql: `
create table billing_charge (
  charge_id uuid primary key,
  region_id text not null references region (region_id) on delete cascade,
  operator text,
  start_date text not null,
  end_date text,
  currency text not null,
  fields jsonb not null,
  created_time timestamptz not null
);
create index billing_charge_of on billing_charge (region_id, start_date);
create table billing_quantity (
  region_id text not null references region (region_id) on delete cascade,
  operator text not null,
  quantity text not null,
  month text not null,
  value text not null,
  is_estimate boolean not null,
  reported_by text not null,
  reported_time timestamptz not null,
  primary key (region_id, operator, quantity, month)
);
`,
}
