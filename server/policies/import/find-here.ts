import type { Kysely } from 'kysely'
import type { StateTables } from '#server/stores/state-tables.ts'
import { newestOfEach, policyColumns, type PolicyRow } from '../policy-row.ts'
import { readFields } from '../stored-fields.ts'

/** The newest revisions of policies that came from a source and are not deleted, by their ids there. */
export async function findHere(
  store: Kysely<StateTables>,
  regionId: string,
  source: string,
): Promise<Map<string, PolicyRow>> {
  const rows = await store
    .selectFrom('policy')
    .select(policyColumns)
    .where('region_id', '=', regionId)
    .where('is_deleted', '=', false)
    .execute()
  return new Map(
    newestOfEach(rows).flatMap((row): [string, PolicyRow][] => {
      const { imported_source: from, imported_policy_id: id } = readFields(row.fields, row.currency)
      return from === source && id !== null ? [[id, row]] : []
    }),
  )
}
