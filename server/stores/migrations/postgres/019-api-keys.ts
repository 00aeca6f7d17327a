/**
 * api_key: a key with which programs call the server. key_id is part of the key, secret_hash the SHA-256 of
 * its secret. region_ids: null for all regions of the owner. has_owner: its rights end with those of
 * owner_id. Keys of other forms (tokens of feeds, of MDS Metrics and of CDS) are found by the hash of the
 * token, which is their key_id and secret_hash; they have no prefix. api_key_day: calls of a key by UTC day.
 * audit.api_key_id: the key of a call. subscription.events: the events of a webhook of the topic `events`.
 * announced_event: periodically detected events that webhooks have been notified of.
 */
export const schema = {
  name: '019-api-keys',
  sql: `
create table api_key (
  key_id text primary key,
  organization_id uuid not null references organization (organization_id) on delete cascade,
  consumer_id uuid not null default gen_random_uuid(),
  name text not null,
  owner_id text references "user" (id) on delete set null,
  has_owner boolean not null default true,
  created_by text,
  prefix text not null default '',
  secret_hash text not null,
  hint text not null,
  scopes jsonb not null,
  region_ids jsonb,
  operator text,
  feed_id uuid references feed (feed_id) on delete cascade,
  cidrs jsonb not null default '[]',
  rate_class text not null default 'standard',
  created_time timestamptz not null,
  expires_time timestamptz,
  revoked_time timestamptz,
  revoked_by text,
  alerted_time timestamptz
);
create index api_key_of on api_key (organization_id, created_time desc);
create index api_key_feed on api_key (feed_id);
create table api_key_day (
  key_id text not null references api_key (key_id) on delete cascade,
  day date not null,
  calls bigint not null default 0,
  refused bigint not null default 0,
  last_used_time timestamptz,
  primary key (key_id, day)
);
insert into api_key (key_id, organization_id, name, has_owner, created_by, secret_hash, hint, scopes, region_ids, feed_id, rate_class,
    created_time, revoked_time)
  select t.token_hash, r.organization_id, f.name, false, t.created_by, t.token_hash, t.hint,
    jsonb_build_array(case when f.kind = 'cds_push' then 'curb.events:write' else 'mds.agency:write' end),
    jsonb_build_array(t.region_id), t.feed_id, 'feed', t.created_time, t.revoked_time
  from agency_token t join feed f on f.feed_id = t.feed_id join region r on r.region_id = t.region_id;
insert into api_key (key_id, organization_id, name, has_owner, created_by, secret_hash, hint, scopes, region_ids, operator, rate_class,
    created_time, revoked_time)
  select t.token_hash, r.organization_id, t.name, false, t.created_by, t.token_hash, t.hint, '["mds.metrics:read"]',
    jsonb_build_array(t.region_id), t.operator, 'high', t.created_time, t.revoked_time
  from metrics_token t join region r on r.region_id = t.region_id;
insert into api_key (key_id, organization_id, name, has_owner, created_by, secret_hash, hint, scopes, region_ids, rate_class,
    created_time, revoked_time)
  select t.token_hash, r.organization_id, t.name, false, t.created_by, t.token_hash, t.hint,
    jsonb_build_array(case t.access when 'payments' then 'payments:write' else 'curb.' || t.access || ':read' end),
    jsonb_build_array(t.region_id), 'high', t.created_time, t.revoked_time
  from cds_token t join region r on r.region_id = t.region_id;
insert into api_key_day (key_id, day, last_used_time)
  select token_hash, (last_used_time at time zone 'UTC')::date, last_used_time
  from (
    select token_hash, last_used_time from agency_token
    union all select token_hash, last_used_time from metrics_token
    union all select token_hash, last_used_time from cds_token
  ) used
  where last_used_time is not null;
drop table agency_token;
drop table metrics_token;
drop table cds_token;
alter table audit add column api_key_id text;
update notification set kind = 'exports.ready' where kind = 'export.ready';
alter table subscription add column events jsonb;
create table announced_event (
  region_id text not null references region (region_id) on delete cascade,
  type text not null,
  subject text not null,
  at timestamptz not null,
  primary key (region_id, type, subject)
);
`,
}
