import { Outlet } from '@tanstack/react-router'
import { useEffect } from 'react'
import { Loaded } from '#web/kit/loaded.tsx'
import { ReadingPage } from '#web/kit/reading-page.tsx'
import { Redirect } from './redirect.tsx'
import { useChosenRegion } from './region.tsx'
import { forgetRegion, rememberedRegion, rememberRegion } from './stored.ts'

/** Lets through to screens once the region is known; one that the viewer may not see leads to another. */
export function RegionGate() {
  const { regionId, answer } = useChosenRegion()
  const refused = answer.error?.status === 403 || answer.error?.status === 404
  const found = answer.data?.regionId

  useEffect(() => {
    if (found) rememberRegion(found)
    if (refused && rememberedRegion() === regionId) forgetRegion()
  }, [found, refused, regionId])

  if (refused) return <Redirect to="/" />
  if (answer.data) return <Outlet key={answer.data.regionId} />
  return (
    <ReadingPage>
      <Loaded of={answer}>{() => null}</Loaded>
    </ReadingPage>
  )
}
