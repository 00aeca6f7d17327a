/**
 * Pull windows have their own name. Kinds of curb inventories are listed only in the contract, so that a
 * new kind needs no migration.
 */
export const schema = {
  name: '029-names',
  sql: `
alter table feed_piece rename to pull_window;
alter table pull_window rename column piece to window_start;
alter index feed_piece_open rename to pull_window_open;
alter table curb_inventory drop constraint curb_inventory_kind_check;
`,
}
