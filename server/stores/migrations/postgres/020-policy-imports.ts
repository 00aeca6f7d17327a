/** What a revision was when it came in from another agency's feed: by this it is known whether the feed or somebody here changed it since. Null: it did not come from one. */
export const policyImports = {
  name: '020-policy-imports',
  sql: 'alter table policy add column imported jsonb;',
}
