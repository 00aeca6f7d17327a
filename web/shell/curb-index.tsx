import { defaultCurbPage } from './default-page.ts'
import { Redirect } from './redirect.tsx'
import { useRegion } from './region.tsx'
import { addressIn } from './pages.ts'
import { useStanding } from './use-standing.ts'

/** The index paths of the curb: on to its default page, and where it has none to the region's. */
export function CurbIndex() {
  const { regionId } = useRegion()
  const standing = useStanding()
  const page = standing ? defaultCurbPage(standing) : null
  return <Redirect to={page ? addressIn(regionId, page) : `/${regionId}`} />
}
