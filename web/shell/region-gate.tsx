import { Outlet } from '@tanstack/react-router'
import { useEffect } from 'react'
import { Loaded } from '#web/kit/loaded.tsx'
import { ReadingPage } from '#web/kit/reading-page.tsx'
import { Redirect } from './redirect.tsx'
import { useRegionContext } from './region.tsx'
import { forgetRegion, rememberedRegion, rememberRegion } from './browser-storage.ts'

/** Shows its screens once the region is loaded; redirects from a region that the user may not see. */
export function RegionGate() {
  const { regionId, query } = useRegionContext()
  const isDenied = query.error?.status === 403 || query.error?.status === 404
  const loadedRegionId = query.data?.regionId

  useEffect(() => {
    if (loadedRegionId) rememberRegion(loadedRegionId)
    if (isDenied && rememberedRegion() === regionId) forgetRegion()
  }, [loadedRegionId, isDenied, regionId])

  if (isDenied) return <Redirect to="/" />
  if (query.data) return <Outlet key={query.data.regionId} />
  return (
    <ReadingPage>
      <Loaded of={query}>{() => null}</Loaded>
    </ReadingPage>
  )
}
