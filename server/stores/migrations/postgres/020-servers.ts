/**
 * installation: one row, what all servers must have in common; key_check is derived from the secret key.
 * deferred_push: pushes of a feed that were received and could not be stored, between two times of receipt (ms); their raw input is read
 * again when the fact store is back.
 * rate_bucket: calls by key, counted by all servers (http/rate-limits.ts); losing it after a crash of the database harms nobody.
 */
export const schema = {
  name: '020-servers',
  sql: `
create table installation (
  only_row boolean primary key default true check (only_row),
  key_check text not null
);
create table deferred_push (
  feed_id uuid primary key references feed (feed_id) on delete cascade,
  region_id text not null references region (region_id) on delete cascade,
  from_ms bigint not null,
  until_ms bigint not null
);
create unlogged table rate_bucket (
  key text primary key,
  used double precision not null,
  at_ms bigint not null
);
`,
}
