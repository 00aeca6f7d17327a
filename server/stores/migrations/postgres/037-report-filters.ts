/** report_schedule.filters: those of the report page, by the names of the API. */
export const schema = {
  name: '037-report-filters',
  sql: `alter table report_schedule add column filters jsonb not null default '{}';`,
}
