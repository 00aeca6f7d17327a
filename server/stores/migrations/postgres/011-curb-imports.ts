/**
 * Curb imports wait for a mapping or further files, and are staged in the background. files: the received
 * files, as [{path, name}]. lease_until: until then, the server that stages the import is considered alive.
 */
export const schema = {
  name: '011-curb-imports',
  sql: `
alter table curb_import drop constraint curb_import_status_check;
alter table curb_import add constraint curb_import_status_check
  check (status in ('waiting', 'staging', 'staged', 'published', 'undone', 'failed'));
alter table curb_import add column files jsonb not null default '[]';
alter table curb_import add column lease_until timestamptz;
create index curb_import_row_outcome on curb_import_row (import_id, outcome, row);
`,
}
