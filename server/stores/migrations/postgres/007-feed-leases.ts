/** Which process pulls a feed: of several servers on one store only one does. */
export const feedLeases = {
  name: '007-feed-leases',
  sql: `
alter table feed add column lease_owner text;
alter table feed add column lease_until timestamptz;`,
}
