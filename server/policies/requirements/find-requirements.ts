import type { Selectable } from 'kysely'
import { type Requirements, RequirementsProgram, makeDefaultPrograms } from '#contract/requirements.ts'
import type { StateTables } from '#server/stores/state-tables.ts'
import type { Store } from '#server/stores/state.ts'

/** Makes the requirements of a region that has not saved any. */
const makeDefaultRequirements = (): Requirements => ({
  programs: makeDefaultPrograms(),
  file_version: 1,
  modified_time: null,
  modified_by_email: null,
})

const readRow = ({
  programs,
  file_version,
  modified_time,
  modified_by_email,
}: Selectable<StateTables['requirements']>): Requirements => ({
  programs: RequirementsProgram.array().parse(programs),
  file_version,
  modified_time: modified_time.toISOString(),
  modified_by_email,
})

/** Finds the requirements of a region, or the defaults. */
export async function findRequirements(store: Store, regionId: string): Promise<Requirements> {
  const row = await store
    .selectFrom('requirements')
    .selectAll()
    .where('region_id', '=', regionId)
    .executeTakeFirst()
  return row ? readRow(row) : makeDefaultRequirements()
}
