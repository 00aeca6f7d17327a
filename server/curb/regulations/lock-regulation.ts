import { randomUUID } from 'node:crypto'
import type { Region } from '#contract/regions.ts'
import { lockCurb } from '../store/curb-settings.ts'
import { Problem } from '#server/http/problem.ts'
import type { Viewer } from '#server/http/viewer.ts'
import {
  deletedRegulation,
  type FoundRegulation,
  findRegulationRows,
  readDetail,
  readZoneIds,
  unknownRegulation,
} from './find-regulation.ts'
import { recordAct } from './regulation-acts.ts'
import { readContent, regulationIdOf } from './regulation-rows.ts'
import type { Store } from '#server/stores/state.ts'

/** The user who acts. */
export type By = Pick<Viewer, 'scope' | 'email'>

/**
 * Locks the curb of a region until the transaction ends, and reads a regulation. Throws a conflict if it was
 * changed after `seen`, the modified time that the user read; `current` is what is stored, null if it was
 * deleted.
 */
export async function lockRegulation(
  store: Store,
  { scope }: By,
  region: Region,
  id: string,
  seen: string | undefined,
  at: Date,
): Promise<FoundRegulation> {
  await lockCurb(store, region.regionId)
  const found = await findRegulationRows(store, scope, region.regionId, id, at)
  if (!found) throw seen === undefined ? unknownRegulation() : deletedRegulation()
  if (seen !== undefined && Date.parse(seen) !== found.shown.modified_time.getTime()) {
    const current = await readDetail(store, region, found, found.shown, at)
    throw new Problem(
      'conflict',
      `“${current.name}” was changed by ${current.modified_by_email ?? 'the server'} at ${current.modified_time}, after you began. Choose between the two.`,
      undefined,
      current,
    )
  }
  return found
}

/**
 * Gives a regulation an id of its own before it gets a second version, and a history that begins with what was
 * imported.
 */
export async function ensureRegulationId(store: Store, found: FoundRegulation, at: Date): Promise<string> {
  const row = found.shown
  if (row.regulation_id !== null && found.id === regulationIdOf(row)) return row.regulation_id
  const regulationId = randomUUID()
  await store
    .updateTable('curb_policy')
    .set({ regulation_id: regulationId, superseded_time: null })
    .where('region_id', '=', row.region_id)
    .where('curb_policy_id', '=', row.curb_policy_id)
    .execute()
  await recordAct(store, {
    regionId: row.region_id,
    regulationId,
    act: 'imported',
    policyId: row.curb_policy_id,
    content: { policy: readContent(row), zoneIds: await readZoneIds(store, row, at) },
    at: row.published_time ?? row.created_time,
    email: row.published_by ?? row.created_by,
  })
  return regulationId
}
