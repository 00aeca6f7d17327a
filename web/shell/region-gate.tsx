import { Outlet } from '@tanstack/react-router'
import { useEffect } from 'react'
import { Loaded } from '#web/kit/loaded.tsx'
import { ReadingPage } from '#web/kit/reading-page.tsx'
import { Redirect } from './redirect.tsx'
import { useRegionContext } from './region.tsx'
import { forgetRegion, rememberedRegion, rememberRegion } from './browser-storage.ts'

/** Lets through to screens once the region is known; one that the viewer may not see leads to another. */
export function RegionGate() {
  const { regionId, query: answer } = useRegionContext()
  const isDenied = answer.error?.status === 403 || answer.error?.status === 404
  const loadedRegionId = answer.data?.regionId

  useEffect(() => {
    if (loadedRegionId) rememberRegion(loadedRegionId)
    if (isDenied && rememberedRegion() === regionId) forgetRegion()
  }, [loadedRegionId, isDenied, regionId])

  if (isDenied) return <Redirect to="/" />
  if (answer.data) return <Outlet key={answer.data.regionId} />
  return (
    <ReadingPage>
      <Loaded of={answer}>{() => null}</Loaded>
    </ReadingPage>
  )
}
