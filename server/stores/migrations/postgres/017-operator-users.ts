/** Whose numbers a user sees: a list of operators' slugs; null is every operator. No reference: a user whose operator is removed sees nothing, not all. */
export const operatorUsers = {
  name: '017-operator-users',
  sql: `alter table "user" add column "operators" jsonb;`,
}
