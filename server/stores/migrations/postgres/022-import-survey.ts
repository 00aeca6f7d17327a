/** What the whole of a received table says before its rows are stored: how many there are, and in which orders its dates can be read. */
export const importSurvey = {
  name: '022-import-survey',
  sql: 'alter table import add column survey jsonb;',
}
