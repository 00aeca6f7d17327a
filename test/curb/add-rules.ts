import { randomUUID } from 'node:crypto'
import type { CdsPolicyContent } from '#contract/cds.ts'
import { lockCurb } from '#server/curb/store/curb-settings.ts'
import { systemScope } from '#server/identity/scope.ts'
import type { State } from '#server/stores/state.ts'

/** Adds published policies to a zone, in force since 2020. */
export async function addRules(
  state: Pick<State, 'as'>,
  regionId: string,
  zoneId: string,
  contents: readonly CdsPolicyContent[],
): Promise<void> {
  const store = state.as(systemScope)
  const start = new Date('2020-01-01T00:00:00Z')
  for (const content of contents) {
    const id = randomUUID()
    await store
      .insertInto('curb_policy')
      .values({
        region_id: regionId,
        curb_policy_id: id,
        signature: id,
        status: 'published',
        name: id,
        policy: JSON.stringify({ curb_policy_id: id, published_date: start.getTime(), ...content }),
        created_by: 'test',
        created_time: start,
        modified_time: start,
      })
      .execute()
    await store
      .insertInto('curb_zone_policy')
      .values({ region_id: regionId, curb_zone_id: zoneId, curb_policy_id: id, start_time: start })
      .execute()
  }
  await lockCurb(store, regionId)
}
