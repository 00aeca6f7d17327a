/**
 * Changes of facts are counted by UTC hour instead of UTC day. Stored days of compliance and data health
 * are measured again, because they contain sums of the counts by day.
 * language: the language of a user's scheduled reports.
 */
export const schema = {
  name: '023-reports',
  sql: `
delete from compliance_day;
delete from health_day;
delete from derived_span where product = 'fact_days';
alter table "user" add column "language" text not null default 'en-US';
`,
}
