/**
 * Compliance by day. compliance_day: what a policy's revision measured on a day that is over; `noted` tells up to which derivation of facts. fact_day: the newest
 * derivation that touched a local day's facts. `counts_uncertain`: whether what lies nearer to a border than its accuracy counts as a violation.
 */
export const compliance = {
  name: '015-compliance',
  sql: `
alter table region add column counts_uncertain boolean not null default false;
create table compliance_day (
  region_id text not null references region (region_id) on delete cascade,
  policy_id uuid not null references policy (policy_id) on delete cascade,
  day text not null,
  noted bigint not null,
  body jsonb not null,
  primary key (policy_id, day)
);
create table fact_day (
  region_id text not null references region (region_id) on delete cascade,
  day text not null,
  noted bigint not null,
  primary key (region_id, day)
);`,
}
