import { defaultCurbPage } from './default-page.ts'
import { Redirect } from './redirect.tsx'
import { useRegion } from './region.tsx'
import { pagePath } from './pages.ts'
import { useAccessContext } from './use-access-context.ts'

/** Index of the curb: redirects to its default page, or to that of the region if it has none. */
export function CurbIndex() {
  const { regionId } = useRegion()
  const access = useAccessContext()
  const page = access ? defaultCurbPage(access) : null
  return <Redirect to={page ? pagePath(regionId, page) : `/${regionId}`} />
}
