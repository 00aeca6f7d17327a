/** Pull windows have their own name. */
export const schema = {
  name: '029-pull-windows',
  sql: `
alter table feed_piece rename to pull_window;
alter table pull_window rename column piece to window_start;
alter index feed_piece_open rename to pull_window_open;
`,
}
