/** How often an import was begun since its last stored chunk: one that ends its process each time is given up. */
export const importAttempts = {
  name: '021-import-attempts',
  sql: 'alter table import add column attempts integer not null default 0;',
}
