/** curb_change_set.effective_time: when the changes take effect, if later than they were saved. */
export const schema = {
  name: '022-curb-edit-days',
  sql: 'alter table curb_change_set add column effective_time timestamptz;',
}
