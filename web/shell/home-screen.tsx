import { listRegions } from '#contract/regions.ts'
import { useAnswer } from '#web/data/query.ts'
import { Loaded } from '#web/kit/loaded.tsx'
import { ReadingPage } from '#web/kit/reading-page.tsx'
import { NoAccess } from './no-access.tsx'
import { Redirect } from './redirect.tsx'
import { rememberedRegion } from './remembered-region.ts'

/** `/`: on to the region of last time, else to the first. */
export function HomeScreen() {
  const regions = useAnswer(listRegions, { query: {} })
  const last = rememberedRegion()
  if (last) return <Redirect to={`/${last}`} />
  return (
    <ReadingPage>
      <Loaded of={regions} isEmpty={(found) => found.items.length === 0} empty={<NoAccess />}>
        {(found) => <Redirect to={`/${found.items[0]?.regionId}`} />}
      </Loaded>
    </ReadingPage>
  )
}
