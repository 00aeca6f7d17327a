/**
 * Curb imports wait for a mapping or further files, and are staged in the background. files: where the received files are, as
 * [{path, name}]. lease_until: the time until which the server that stages the import may be silent.
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
