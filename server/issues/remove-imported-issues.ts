import type { Scope } from '#server/stores/scope.ts'
import type { State } from '#server/stores/state.ts'

/** Removes the issues of an import that no other source reported. Returns the number of removed issues. */
export async function removeImportedIssues(
  state: State,
  scope: Scope,
  regionId: string,
  importId: string,
): Promise<number> {
  return state
    .as(scope)
    .transaction()
    .execute(async (store) => {
      const rows = await store
        .selectFrom('issue')
        .select(['source', 'issue_id', 'imports'])
        .where('region_id', '=', regionId)
        .where((is) => is('imports', '@>', is.cast<string[]>(is.val(JSON.stringify([importId])), 'jsonb')))
        .forUpdate()
        .execute()
      let removed = 0
      for (const { source, issue_id, imports } of rows) {
        const otherImports = imports.filter((id) => id !== importId)
        const key = { region_id: regionId, source, issue_id }
        if (otherImports.length)
          await store
            .updateTable('issue')
            .set({ imports: JSON.stringify(otherImports) })
            .where((is) => is.and(key))
            .execute()
        else {
          await store
            .deleteFrom('issue')
            .where((is) => is.and(key))
            .execute()
          removed++
        }
      }
      return removed
    })
}
