/**
 * fact_changes: the part of the version that counts changes of facts, so that a day of which only facts changed since it was measured can be
 * recognized. Unknown for older rows, which are read only while nothing changes, as before.
 */
export const schema = {
  name: '030-compliance-days',
  sql: `
alter table compliance_day rename column noted to version;
alter table compliance_day add column fact_changes bigint not null default 0;
alter table compliance_day add column measured_time timestamptz not null default 'epoch';
`,
}
