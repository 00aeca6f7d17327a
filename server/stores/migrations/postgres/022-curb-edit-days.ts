/** curb_change_set.effective_time: from when on the changes hold, if that is later than when they were saved. */
export const schema = {
  name: '022-curb-edit-days',
  sql: 'alter table curb_change_set add column effective_time timestamptz;',
}
