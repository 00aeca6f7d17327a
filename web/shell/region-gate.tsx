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
  const region = query.data
  useEffect(() => {
    if (region) rememberRegion(region)
    if (isDenied && rememberedRegion() === regionId) forgetRegion()
  }, [region, isDenied, regionId])
  if (isDenied) return <Redirect to="/" />
  if (region) return <Outlet key={region.regionId} />
  return (
    <ReadingPage>
      <Loaded query={query}>{() => null}</Loaded>
    </ReadingPage>
  )
}
