/**
 * Data health. health_day: what was counted of a local day, kept until more is received of it; health_look: when that was last looked
 * for. Incidents open once per rule and subject; each mail about a step goes once to a user.
 */
export const health = {
  name: '009-health',
  sql: `
create table health_day (
  region_id text not null references region (region_id) on delete cascade,
  kind text not null,
  day text not null,
  body jsonb not null,
  made_time timestamptz not null,
  is_stale boolean not null default false,
  primary key (region_id, kind, day)
);
create table health_look (
  region_id text primary key references region (region_id) on delete cascade,
  looked_time timestamptz not null,
  batches bigint not null
);
create table incident (
  incident_id uuid primary key default gen_random_uuid(),
  region_id text not null references region (region_id) on delete cascade,
  rule text not null,
  operator text not null,
  feed_id uuid references feed (feed_id) on delete set null,
  subject text not null,
  opened_time timestamptz not null,
  closed_time timestamptz,
  value double precision,
  worst double precision,
  told double precision,
  acknowledged_by text,
  acknowledged_time timestamptz
);
create unique index incident_open on incident (region_id, rule, subject) where closed_time is null;
create index incident_newest on incident (region_id, opened_time desc);
create table incident_step (
  step_id uuid primary key default gen_random_uuid(),
  incident_id uuid not null references incident (incident_id) on delete cascade,
  region_id text not null,
  at timestamptz not null,
  step text not null,
  value double precision,
  by_email text,
  text text,
  number bigint generated always as identity
);
create index incident_step_of on incident_step (incident_id, number);
create table incident_subscription (
  subscription_id uuid primary key default gen_random_uuid(),
  organization_id uuid not null references organization (organization_id) on delete cascade,
  user_id text not null references "user" (id) on delete cascade,
  region_id text references region (region_id) on delete cascade,
  operator text,
  cadence text not null,
  token uuid not null unique default gen_random_uuid(),
  digest_day text
);
create unique index incident_subscription_one on incident_subscription (user_id, coalesce(region_id, ''), coalesce(operator, ''));
create table incident_mail (
  step_id uuid not null references incident_step (step_id) on delete cascade,
  user_id text not null references "user" (id) on delete cascade,
  subscription_id uuid not null references incident_subscription (subscription_id) on delete cascade,
  region_id text not null,
  claimed_time timestamptz,
  sent_time timestamptz,
  tries integer not null default 0,
  primary key (step_id, user_id)
);
create index incident_mail_open on incident_mail (subscription_id) where claimed_time is null;`,
}
