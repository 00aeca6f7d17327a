/** Adds sessions beyond the maximum stay and early returns to the sums of sessions. Their days are derived again. */
export const schema = {
  name: '012-curb-stay-limits',
  statements: ['curb_hours', 'curb_day_hours', 'curb_zone_days'].map(
    (table) =>
      `alter table ${table} add column if not exists overstays UInt32 after problems, add column if not exists early_returns UInt32 after overstays`,
  ),
}
