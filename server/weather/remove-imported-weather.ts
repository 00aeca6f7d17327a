import type { Scope } from '#server/stores/scope.ts'
import type { State } from '#server/stores/state.ts'

/**
 * Removes the days that only this import reported, and the import's id from days that others reported too.
 * Returns the number of removed days.
 */
export async function removeImportedWeather(
  state: State,
  scope: Scope,
  regionId: string,
  importId: string,
): Promise<number> {
  return state
    .as(scope)
    .transaction()
    .execute(async (store) => {
      const ids = JSON.stringify([importId])
      const [{ numDeletedRows } = { numDeletedRows: 0n }] = await store
        .deleteFrom('weather_day')
        .where('region_id', '=', regionId)
        .where((is) => is('imports', '=', is.cast<string[]>(is.val(ids), 'jsonb')))
        .execute()
      const rows = await store
        .selectFrom('weather_day')
        .select(['day', 'source', 'imports'])
        .where('region_id', '=', regionId)
        .where((is) => is('imports', '@>', is.cast<string[]>(is.val(ids), 'jsonb')))
        .forUpdate()
        .execute()
      for (const { day, source, imports } of rows)
        await store
          .updateTable('weather_day')
          .set({ imports: JSON.stringify(imports.filter((id) => id !== importId)) })
          .where('region_id', '=', regionId)
          .where('day', '=', day)
          .where('source', '=', source)
          .execute()
      return Number(numDeletedRows)
    })
}
