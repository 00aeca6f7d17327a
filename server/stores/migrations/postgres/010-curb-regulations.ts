/**
 * Regulations: curb policies with their later versions. curb_policy.regulation_id: shared by the versions;
 * null for a policy without others. effective_time, superseded_time: the times from which a published policy
 * and its successor apply. deleted_time: when it was removed from the library. curb_regulation_act: the
 * history of a regulation: who did what and when. policy and zone_ids are as saved then.
 */
export const schema = {
  name: '010-curb-regulations',
  sql: `
alter table curb_policy add column regulation_id text;
alter table curb_policy add column modified_by text;
alter table curb_policy add column effective_time timestamptz;
alter table curb_policy add column superseded_time timestamptz;
alter table curb_policy add column deleted_time timestamptz;
create index curb_policy_of on curb_policy (region_id, regulation_id);
create table curb_regulation_act (
  region_id text not null references region (region_id) on delete cascade,
  regulation_id text not null,
  act_id uuid not null,
  revision integer not null,
  act text not null,
  curb_policy_id text not null,
  policy jsonb not null,
  zone_ids jsonb not null,
  effective_time timestamptz,
  act_time timestamptz not null,
  act_by text,
  primary key (region_id, act_id)
);
create index curb_regulation_act_of on curb_regulation_act (region_id, regulation_id, revision);
`,
}
