/** Planners edit curb regulations, as they edit policies. Roles with other permissions than the standard ones stay as they are. */
export const schema = {
  name: '027-planner-curb',
  sql: `
update role set permission_keys = 'edit_geography edit_policy edit_curb_regulations'
where name = 'Planner' and permission_keys = 'edit_geography edit_policy';
`,
}
