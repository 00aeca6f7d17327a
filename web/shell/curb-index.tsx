import { defaultCurbPage } from './default-page.ts'
import { Redirect } from './redirect.tsx'
import { useRegion } from './region.tsx'
import { pagePath } from './pages.ts'
import { useAccessContext } from './use-access-context.ts'

/** The index paths of the curb: on to its default page, and where it has none to the region's. */
export function CurbIndex() {
  const { regionId } = useRegion()
  const access = useAccessContext()
  const page = access ? defaultCurbPage(access) : null
  return <Redirect to={page ? pagePath(regionId, page) : `/${regionId}`} />
}
