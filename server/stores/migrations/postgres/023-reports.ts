/**
 * Changes of facts are counted by UTC hour instead of by UTC day: what compliance and data health stored of days is measured again, because
 * it holds sums of the counts by day. language: in which users receive scheduled reports.
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
