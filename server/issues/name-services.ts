import type { Scope } from '#server/stores/scope.ts'
import type { State } from '#server/stores/state.ts'

/** Sets the service name of issues with only a service code. Returns the number of services named. */
export async function nameServices(
  state: State,
  scope: Scope,
  {
    regionId,
    source,
    services,
  }: { regionId: string; source: string; services: readonly { code: string; name: string }[] },
): Promise<number> {
  let namedCount = 0
  for (const { code, name } of services) {
    const [{ numUpdatedRows } = { numUpdatedRows: 0n }] = await state
      .as(scope)
      .updateTable('issue')
      .set({ service_name: name })
      .where('region_id', '=', regionId)
      .where('source', '=', source)
      .where('service_code', '=', code)
      .where('service_name', 'in', ['', code])
      .where('service_name', '!=', name)
      .execute()
    if (numUpdatedRows) namedCount++
  }
  return namedCount
}
