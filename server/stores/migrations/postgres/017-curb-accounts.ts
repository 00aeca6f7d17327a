/**
 * curb_account: a payer for the curb that is not an operator; its slug differs from those of the region's
 * operators. operator_names: names of operators in CDS events. vehicles: hashes of plates, vehicle ids or
 * permit numbers.
 */
export const schema = {
  name: '017-curb-accounts',
  sql: `
create table curb_account (
  region_id text not null references region (region_id) on delete cascade,
  account_id text not null,
  name text not null,
  kind text not null,
  operator_names jsonb not null,
  vehicles jsonb not null,
  created_time timestamptz not null,
  primary key (region_id, account_id)
);
`,
}
