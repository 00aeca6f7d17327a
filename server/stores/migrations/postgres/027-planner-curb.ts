/**
 * Planners may edit curb regulations, as they may edit policies. Roles with other than the standard
 * permissions do not change.
 */
export const schema = {
  name: '027-planner-curb',
  sql: `
update role set permission_keys = 'edit_geography edit_policy edit_curb_regulations'
where name = 'Planner' and permission_keys = 'edit_geography edit_policy';
`,
}
