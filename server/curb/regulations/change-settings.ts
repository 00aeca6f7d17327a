import { type changeCurbSettings, CurbSettings } from '#contract/curb-settings.ts'
import { lockCurb, readCurbSettings } from '../store/curb-settings.ts'
import { Problem } from '#server/http/problem.ts'
import type { Call } from '#server/http/route.ts'
import { findRegion } from '#server/regions/read-region.ts'
import { canonicalText } from '#server/stores/canonical-text.ts'
import type { State } from '#server/stores/state.ts'

/** Changes curb settings of a region. @throws Problem `conflict` if they changed since they were read. */
export async function changeSettings(
  state: State,
  { viewer: { scope }, params: { region_id: regionId }, body }: Call<typeof changeCurbSettings>,
) {
  const { if_settings: expected, ...change } = body
  await findRegion(state, scope, regionId)
  await state
    .as(scope)
    .transaction()
    .execute(async (store) => {
      await lockCurb(store, regionId)
      const row = await store
        .selectFrom('curb_settings')
        .select('settings')
        .where('region_id', '=', regionId)
        .executeTakeFirst()
      const storedSettings = CurbSettings.parse(row?.settings ?? {})
      if (expected !== undefined && canonicalText(expected) !== canonicalText(storedSettings))
        throw new Problem(
          'conflict',
          'Somebody changed these settings after you began. Reload the page and try again.',
          undefined,
          storedSettings,
        )
      const defined = Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined))
      await store
        .updateTable('curb_settings')
        .set({ settings: JSON.stringify(CurbSettings.parse({ ...storedSettings, ...defined })) })
        .where('region_id', '=', regionId)
        .execute()
    })
  return readCurbSettings(state.as(scope), regionId)
}
