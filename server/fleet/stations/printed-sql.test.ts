import { expect, test } from 'vitest'
import { regionScope } from '#server/identity/scope.ts'
import { renderSql, type Sql } from '#server/stores/sql.ts'
import { stationRunsSql, stationSumsSql, stationTripsSql } from './queries/station-figures.ts'
import type { StationQuery } from './station-query.ts'

const scope = regionScope('00000000-0000-4000-8000-000000000002', 'here')
const query: StationQuery = {
  regionId: 'here',
  operators: ['zephyr'],
  windows: [
    { day: 0, from: Date.UTC(2026, 2, 6, 11), until: Date.UTC(2026, 2, 7, 3) },
    { day: 1, from: Date.UTC(2026, 2, 7, 11), until: Date.UTC(2026, 2, 8, 3) },
  ],
}
const questions: [name: string, question: Sql][] = [
  ['station-sums', stationSumsSql(query)],
  ['station-runs', stationRunsSql(query, 600_000)],
  ['station-trips', stationTripsSql(query, 50)],
]

test.each(questions)('%s matches its file in test/sql', async (name, question) => {
  const { text, parameters } = renderSql(question, scope)
  const values = Object.entries(parameters).map(([key, value]) => `-- ${key} = ${JSON.stringify(value)}`)
  await expect(`${text.trim()}\n\n${values.join('\n')}\n`).toMatchFileSnapshot(
    `../../../test/sql/${name}.sql`,
  )
  for (const typed of ['zephyr', "'here'"]) expect(text).not.toContain(typed)
})
