import { useOpenedAt } from '#web/data/clock.ts'
import { useRegion } from '#web/shell/region.tsx'
import { IssuesMap } from './issues-map.tsx'

/** The 311 issues of the region. */
export function IssuesScreen() {
  const region = useRegion()
  const at = useOpenedAt()
  // Each region has its own map.
  return <IssuesMap key={region.regionId} region={region} at={at} />
}
