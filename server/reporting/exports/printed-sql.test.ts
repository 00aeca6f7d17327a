import { expect, test } from 'vitest'
import { getExportColumns } from '#contract/export-tables.ts'
import { ExportQuestion } from '#contract/exports.ts'
import { regionScope } from '#server/identity/scope.ts'
import { renderSql, type Sql } from '#server/stores/sql.ts'
import { toSelection } from './check-question.ts'
import { copiedOrder, copiedRows, countSql, type ExportContent, buildExportSql } from './export-sql.ts'
import type { FactSource } from './tables/export-source.ts'
import { events, vehicleStates } from './tables/fleet.ts'
import { trips } from './tables/trips.ts'

const timezone = 'America/New_York'
const scope = regionScope('00000000-0000-4000-8000-000000000002', 'here')
const selection = toSelection(
  { regionId: 'here', timezone },
  ExportQuestion.parse({
    start_date: '2026-03-01',
    end_date: '2026-03-31',
    operators: ['zephyr'],
    vehicle_types: ['bicycle'],
  }),
)
const makeContent = (format: Pick<ExportContent, 'table' | 'format' | 'isExact'>): ExportContent => ({
  timezone,
  columns: getExportColumns(format.table, format.isExact),
  ...format,
})
const writeSql = (source: FactSource, format: Parameters<typeof makeContent>[0]): Sql =>
  buildExportSql(makeContent(format), source.rows(selection))

const questions: [name: string, question: Sql][] = [
  ['export-trips-exact-csv', writeSql(trips, { table: 'trips', format: 'csv', isExact: true })],
  ['export-trips-rounded-parquet', writeSql(trips, { table: 'trips', format: 'parquet', isExact: false })],
  ['export-events-exact-parquet', writeSql(events, { table: 'events', format: 'parquet', isExact: true })],
  [
    'export-vehicle-states-rounded-geojson',
    writeSql(vehicleStates, { table: 'vehicle_states', format: 'geojson', isExact: false }),
  ],
  [
    'export-issues-csv',
    buildExportSql(
      makeContent({ table: 'issues', format: 'csv', isExact: true }),
      copiedRows('issues', '00000000-0000-4000-8000-000000000001'),
      copiedOrder,
    ),
  ],
  ['export-trips-count', countSql('trips', trips, selection)],
]

test.each(questions)('The query %s matches its file in test/sql', async (name, question) => {
  const { text, parameters } = renderSql(question, scope)
  const values = Object.entries(parameters).map(([key, value]) => `-- ${key} = ${JSON.stringify(value)}`)
  await expect(`${text.trim()}\n\n${values.join('\n')}\n`).toMatchFileSnapshot(
    `../../../test/sql/${name}.sql`,
  )
  for (const typed of ['zephyr', 'bicycle', '2026-03', "'here'"]) expect(text).not.toContain(typed)
})

test('An export never writes a column that a user may not see', () => {
  expect(() =>
    buildExportSql(
      { ...makeContent({ table: 'trips', format: 'csv', isExact: false }), columns: ['trip_id'] },
      trips.rows(selection),
    ),
  ).toThrow('trips.trip_id is not for this user')
})
