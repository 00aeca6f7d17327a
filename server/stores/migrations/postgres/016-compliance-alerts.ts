/**
 * Alerts of new violations. alert_told: how many violations of a day were told to whom (`told_to`: a user by mail, or a webhook), so that none is told twice; it is
 * written in one transaction with the messages (alert) that are then sent. `claimed_time`: since when one is being sent.
 */
export const complianceAlerts = {
  name: '016-compliance-alerts',
  sql: `
create table alert_subscription (
  subscription_id uuid primary key default gen_random_uuid(),
  region_id text not null references region (region_id) on delete cascade,
  user_id text not null references "user" (id) on delete cascade,
  constant_policy_id uuid,
  operator text,
  channel text not null,
  cadence text not null,
  url text,
  sealed_secret text,
  token uuid not null unique default gen_random_uuid(),
  first_day text not null,
  digest_day text,
  created_time timestamptz not null
);
create unique index alert_subscription_one on alert_subscription (user_id, region_id, coalesce(constant_policy_id::text, ''), coalesce(operator, ''), channel, coalesce(url, ''));
create index alert_subscription_of_region on alert_subscription (region_id);
create table alert_told (
  region_id text not null references region (region_id) on delete cascade,
  told_to text not null,
  constant_policy_id uuid not null,
  operator text not null,
  shape text not null,
  day text not null,
  violations integer not null,
  primary key (region_id, told_to, constant_policy_id, operator, shape, day)
);
create table alert (
  alert_id uuid primary key default gen_random_uuid(),
  region_id text not null references region (region_id) on delete cascade,
  subscription_id uuid not null references alert_subscription (subscription_id) on delete cascade,
  is_test boolean not null default false,
  policy jsonb,
  records jsonb not null default '[]',
  record_count integer not null default 0,
  created_time timestamptz not null,
  state text not null,
  tries integer not null default 0,
  next_time timestamptz,
  claimed_time timestamptz,
  done_time timestamptz,
  http_status integer,
  problem text
);
create index alert_of on alert (subscription_id, created_time desc);
create index alert_open on alert (next_time) where state in ('waiting', 'sending');`,
}
