/**
 * Proposals of curb rates. curb_price_proposal, curb_price_row: never change. There is one row per zone;
 * cells: its time bands and day types. curb_price_act: later edits and steps of a proposal, numbered from 1.
 * skipped: zones whose rates were not changed at publication. effective_time: of approvals and publications.
 */
export const schema = {
  name: '016-curb-pricing',
  sql: `
create table curb_pricing_settings (
  region_id text primary key references region (region_id) on delete cascade,
  settings jsonb not null
);
create table curb_price_proposal (
  proposal_id uuid primary key,
  region_id text not null references region (region_id) on delete cascade,
  name text not null,
  parameters jsonb not null,
  row_count integer not null,
  created_by text not null,
  created_time timestamptz not null
);
create index curb_price_proposal_of on curb_price_proposal (region_id, created_time);
create table curb_price_row (
  proposal_id uuid not null references curb_price_proposal (proposal_id) on delete cascade,
  region_id text not null,
  curb_zone_id text not null,
  zone jsonb not null,
  cells jsonb not null,
  primary key (proposal_id, curb_zone_id)
);
create table curb_price_act (
  proposal_id uuid not null references curb_price_proposal (proposal_id) on delete cascade,
  region_id text not null,
  number integer not null,
  act text not null,
  edits jsonb,
  skipped jsonb,
  note text,
  effective_time timestamptz,
  act_by text,
  act_time timestamptz not null,
  primary key (proposal_id, number)
);
create function refuse_change_of_price_proposal() returns trigger language plpgsql as $guard$
begin
  if tg_op = 'DELETE' and not exists (select 1 from region where region_id = old.region_id) then
    return old;
  end if;
  raise exception 'A proposal of rates cannot be changed or deleted' using errcode = 'restrict_violation';
end $guard$;
create trigger curb_price_proposal_is_final before update or delete on curb_price_proposal
  for each row execute function refuse_change_of_price_proposal();
create trigger curb_price_row_is_final before update or delete on curb_price_row
  for each row execute function refuse_change_of_price_proposal();
create trigger curb_price_act_is_final before update or delete on curb_price_act
  for each row execute function refuse_change_of_price_proposal();
create function refuse_truncation_of_prices() returns trigger language plpgsql as $guard$
begin
  raise exception 'Proposals of rates cannot be deleted' using errcode = 'restrict_violation';
end $guard$;
create trigger curb_price_proposal_is_not_truncated before truncate on curb_price_proposal
  for each statement execute function refuse_truncation_of_prices();
create trigger curb_price_row_is_not_truncated before truncate on curb_price_row
  for each statement execute function refuse_truncation_of_prices();
create trigger curb_price_act_is_not_truncated before truncate on curb_price_act
  for each statement execute function refuse_truncation_of_prices();

update role set permission_keys = permission_keys || ' approve_curb_prices'
  where 'is_admin' = any (string_to_array(permission_keys, ' '));
update "user" set "permissionKeys" = "permissionKeys" || ' approve_curb_prices'
  where 'is_admin' = any (string_to_array("permissionKeys", ' '));
`,
}
