/** The contract checks the formats of curb files, so that a new one needs no migration. */
export const schema = {
  name: '036-curb-formats',
  sql: `alter table curb_inventory drop constraint if exists curb_inventory_kind_check;`,
}
