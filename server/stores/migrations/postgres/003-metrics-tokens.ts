/** metrics_token: a token for reading MDS Metrics of a region. operator: null for all operators. */
export const schema = {
  name: '003-metrics-tokens',
  sql: `
create table metrics_token (
  token_hash text primary key,
  region_id text not null references region (region_id) on delete cascade,
  operator text,
  name text not null,
  hint text not null,
  created_by text,
  created_time timestamptz not null default now(),
  last_used_time timestamptz,
  revoked_time timestamptz
);
`,
}
