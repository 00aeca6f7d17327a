import { expect, it } from 'vitest'
import { SpatialQuestion } from '#contract/evaluation.ts'
import { regionScope } from '#server/identity/scope.ts'
import { renderSql, type Sql } from '#server/stores/sql.ts'
import { mostRecentTripPlaces } from './most-recent-trips.ts'
import { tripsByShape } from './trips-by-shape.ts'
import { tripsExtent } from './trips-extent.ts'

const filters = SpatialQuestion.parse({
  region_id: 'here', start_date: '2026-01-01', end_date: '2026-01-31', operators: ['zephyr'], vehicle_type: 'bicycle', days: [1, 7], hour_filters: [7, 19], shape_layer_uuid: '00000000-0000-4000-8000-000000000001',
})
const grid = { west: -1, south: -1, east: 1, north: 1, nx: 4, ny: 4, dx: 0.5, dy: 0.5 }
const indexes = [{ name: 'mi_0', grid }]
const scope = regionScope('00000000-0000-4000-8000-000000000002', 'here')

const questions: [name: string, question: Sql][] = [
  ['trips-by-shape', tripsByShape({ filters, indexes, selected: null, byDay: false })],
  ['trips-by-shape-and-day-selected', tripsByShape({ filters, indexes, selected: 3, byDay: true })],
  ['most-recent-trip-places', mostRecentTripPlaces(filters, 'origin')],
  ['trips-extent', tripsExtent('here')],
]

it.each(questions)('%s stands printed in test/sql, to be reviewed like code', async (name, question) => {
  const { text, parameters } = renderSql(question, scope)
  const values = Object.entries(parameters).map(([key, value]) => `-- ${key} = ${JSON.stringify(value)}`)
  await expect(`${text.trim()}\n\n${values.join('\n')}\n`).toMatchFileSnapshot(`../../../test/sql/${name}.sql`)
})

it('prints no value that a person typed into the text', () => {
  for (const [, question] of questions) {
    const { text } = renderSql(question, scope)
    for (const typed of ['zephyr', 'bicycle', '2026-01', "'here'"]) expect(text).not.toContain(typed)
  }
})
