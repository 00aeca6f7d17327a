/**
 * fee_policy: for each revision of a fee policy, the inputs of its stored fees (times in effect, settings of
 * the region, version of the engine), and the local day up to which all days were marked.
 */
export const schema = {
  name: '006-fee-days',
  sql: `
create table fee_policy (
  policy_id uuid primary key,
  region_id text not null references region (region_id) on delete cascade,
  basis text not null,
  marked_day text not null
);
create index fee_policy_of on fee_policy (region_id);
`,
}
