// Marks of data to derive remain until they are withdrawn, in whatever order ClickHouse merges parts.
import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { DirtyMarks, activeMarksSql, withdrawMarks } from '#server/fleet/events/dirty-marks.ts'
import { regionScope, systemScope } from '#server/identity/scope.ts'
import type { Facts } from '#server/stores/facts.ts'
import { bind, facts as tableOf, sql } from '#server/stores/sql.ts'
import { useFacts } from './use-stores.ts'

let facts: Facts
// oxlint-disable-next-line rules-of-hooks
useFacts((opened) => void (facts = opened))

const regionId = 'r'
const noon = Date.UTC(2026, 5, 10, 12)
const scope = regionScope(randomUUID(), regionId)
const countMarksByRun = async (): Promise<Record<string, number>> => {
  const rows = await facts.rows<{ run: string; marks: string }>(
    systemScope,
    sql`select toString(run_id) as run, count() as marks from (${activeMarksSql}) group by run`,
  )
  return Object.fromEntries(rows.map(({ run, marks }) => [run, Number(marks)]))
}
const merge = () => facts.define('optimize table fleet_marks final')

test('marks of the fleet remain until they are withdrawn, even if they were stored or withdrawn twice', async () => {
  const [firstRun, secondRun] = [randomUUID(), randomUUID()]
  const [vehicle, trip] = [randomUUID(), randomUUID()]
  const mark = async (runId: string, from: number): Promise<void> => {
    const marks = new DirtyMarks()
    marks.markVehicle('one', vehicle, from)
    marks.markTrip('one', trip)
    await marks.write(facts, scope, regionId, runId)
    // Nothing remains to be stored.
    await marks.write(facts, scope, regionId, runId)
  }
  await mark(firstRun, noon)
  await mark(firstRun, noon)
  await mark(firstRun, noon - 500)
  await mark(secondRun, noon)
  expect(await countMarksByRun()).toEqual({ [firstRun]: 3, [secondRun]: 2 })
  await merge()
  expect(await countMarksByRun()).toEqual({ [firstRun]: 3, [secondRun]: 2 })

  await withdrawMarks(facts, scope, regionId, [firstRun])
  await withdrawMarks(facts, scope, regionId, [firstRun])
  expect(await countMarksByRun()).toEqual({ [secondRun]: 2 })
  await merge()
  expect(await countMarksByRun()).toEqual({ [secondRun]: 2 })
  expect(
    await facts.rows(
      scope,
      sql`select count() as n from ${tableOf('fleet_marks')} where run_id = ${bind('UUID', firstRun)}`,
    ),
  ).toEqual([{ n: '0' }])

  // A Scope includes only marks of its regions.
  await withdrawMarks(facts, regionScope(randomUUID(), 'other'), 'other', [secondRun])
  expect(await countMarksByRun()).toEqual({ [secondRun]: 2 })
  await withdrawMarks(facts, systemScope, regionId, [secondRun])
  expect(await countMarksByRun()).toEqual({})
})
