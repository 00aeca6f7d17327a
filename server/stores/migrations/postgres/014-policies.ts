/**
 * Policies, a row per revision. A revision that was never published is the draft of its policy and changes in place; one that was published never changes:
 * `mds` is its body as it stands in the feed, `grounds` which geographies it stands on. Geographies are frozen when a revision on them is published.
 * Money in `fields` is in minor units of `currency`.
 */
export const policies = {
  name: '014-policies',
  sql: `
create table policy (
  policy_id uuid primary key,
  constant_policy_id uuid not null,
  revision integer not null,
  region_id text not null references region (region_id) on delete cascade,
  fields jsonb not null,
  currency text not null,
  published boolean not null default false,
  published_time timestamptz,
  published_by_email text,
  effective_time timestamptz,
  superseded_time timestamptz,
  unpublished_time timestamptz,
  prev_policy_id uuid,
  mds jsonb,
  grounds jsonb not null default '[]',
  is_deleted boolean not null default false,
  created_time timestamptz not null,
  created_by_email text,
  modified_time timestamptz not null,
  modified_by_email text,
  unique (constant_policy_id, revision)
);
create index policy_of_region on policy (region_id);
create unique index policy_in_feed on policy (constant_policy_id) where published;
create unique index policy_draft on policy (constant_policy_id) where published_time is null;
create table policy_geography (
  geography_id uuid primary key,
  region_id text not null references region (region_id) on delete cascade,
  source text not null,
  name text not null,
  description text,
  geography_type text not null,
  geography_json jsonb not null,
  content_hash text not null,
  prev_geography_id uuid,
  published_time timestamptz not null,
  unique (region_id, source, content_hash)
);`,
}
