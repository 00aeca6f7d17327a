import { systemScope } from '#server/identity/scope.ts'
import type { State } from '#server/stores/state.ts'
import type { ImportTask } from './import-task.ts'

/** The import that waits longest and that nobody holds, in any region; null where none waits. */
export async function nextImport(state: State, at: Date): Promise<ImportTask | null> {
  const row = await state
    .as(systemScope)
    .selectFrom('import')
    .innerJoin('region', 'region.region_id', 'import.region_id')
    .select(['import.import_id', 'import.region_id', 'region.organization_id'])
    .where('import.status', 'in', ['queued', 'running'])
    .where((is) => is.or([is('import.lease_until', 'is', null), is('import.lease_until', '<', at)]))
    .orderBy('import.created_time')
    .limit(1)
    .executeTakeFirst()
  return row ? { organizationId: row.organization_id, regionId: row.region_id, importId: row.import_id } : null
}
