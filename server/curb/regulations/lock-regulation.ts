import { randomUUID } from 'node:crypto'
import type { Region } from '#contract/regions.ts'
import { lockCurb } from '../store/curb-settings.ts'
import { Problem } from '#server/http/problem.ts'
import {
  makeDeletedProblem,
  type FoundRegulation,
  findRegulationRows,
  readDetail,
  readZoneIds,
  makeUnknownProblem,
} from './find-regulation.ts'
import { recordAct } from './regulation-acts.ts'
import { readContent, getRegulationId } from './regulation-rows.ts'
import { findRegion } from '#server/regions/read-region.ts'
import type { Scope } from '#server/stores/scope.ts'
import type { State, Store } from '#server/stores/state.ts'

interface RegulationLock {
  scope: Scope
  region: Region
  /** Id of the regulation or of one of its versions. */
  id: string
  /** The modified time that the user read. */
  expectedTime: string | undefined
  at: Date
}

/**
 * Locks the curb of a region until the transaction ends, and reads a regulation.
 * @throws Problem `conflict` if it was changed after `expectedTime`; the conflict contains the stored
 * regulation, null if it was deleted.
 */
export async function lockRegulation(
  store: Store,
  { scope, region, id, expectedTime, at }: RegulationLock,
): Promise<FoundRegulation> {
  await lockCurb(store, region.regionId)
  const regulation = await findRegulationRows(store, { scope, regionId: region.regionId, id, at })
  if (!regulation) throw expectedTime === undefined ? makeUnknownProblem() : makeDeletedProblem()
  const { modified_time: modifiedTime } = regulation.shownVersion
  if (expectedTime !== undefined && Date.parse(expectedTime) !== modifiedTime.getTime()) {
    const current = await readDetail(store, region, regulation, at)
    throw new Problem(
      'conflict',
      `“${current.name}” was changed by ${current.modified_by_email ?? 'the server'} at ${current.modified_time}, after you began. Choose between the two.`,
      undefined,
      current,
    )
  }
  return regulation
}

interface RegulationChange {
  viewer: { scope: Scope }
  params: { region_id: string }
  body: { curb_policy_id: string; if_modified_time?: string | undefined }
  at: Date
}

/** Changes a regulation in a transaction in which it is locked. */
export async function withLockedRegulation<Result>(
  state: State,
  { viewer: { scope }, params, body, at }: RegulationChange,
  change: (locked: { store: Store; region: Region; regulation: FoundRegulation }) => Promise<Result>,
): Promise<Result> {
  const region = await findRegion(state, scope, params.region_id)
  const lock = { scope, region, id: body.curb_policy_id, expectedTime: body.if_modified_time, at }
  return state
    .as(scope)
    .transaction()
    .execute(async (store) => change({ store, region, regulation: await lockRegulation(store, lock) }))
}

/** Gives an imported regulation an id before its second version, and a history. Returns the id. */
export async function ensureRegulationId(
  store: Store,
  regulation: FoundRegulation,
  at: Date,
): Promise<string> {
  const row = regulation.shownVersion
  if (row.regulation_id !== null && regulation.id === getRegulationId(row)) return row.regulation_id
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
