/**
 * fact_changes: the part of the version that counts changes of facts. It shows whether only facts changed
 * since a day was measured. It is unknown for older rows, which are used only while nothing has changed.
 */
export const schema = {
  name: '030-compliance-days',
  sql: `
alter table compliance_day rename column noted to version;
alter table compliance_day add column fact_changes bigint not null default 0;
alter table compliance_day add column measured_time timestamptz not null default 'epoch';
`,
}
