/**
 * installation: one row with what all servers must have in common. key_check is derived from the secret key.
 * deferred_push: a feed's pushes between two times of receipt (ms) that were received but could not be
 * stored. Their raw input is read again when the fact store is back. rate_bucket: calls by key, counted by
 * all servers (http/rate-limits.ts). Losing it in a crash of the database does no harm.
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
