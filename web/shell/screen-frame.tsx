import { Suspense } from 'react'
import { useTranslation } from 'react-i18next'
import { isOn } from './features.ts'
import { useMe } from './me.tsx'
import { NotFound } from './not-found.tsx'
import { ScreenSkeleton } from './screen-skeleton.tsx'
import type { ScreenEntry } from './screen-entry.ts'
import { useTitle } from './title.ts'
import { useStanding } from './use-standing.ts'

/** Around every screen of signed-in users: title, permission, features, skeleton while its code is fetched. */
export function ScreenFrame({ entry }: { entry: ScreenEntry }) {
  const { t } = useTranslation()
  const { can } = useMe()
  const standing = useStanding()
  const isPermitted =
    entry.permission === 'public' || entry.permission === 'signed_in' || can(entry.permission)
  const isAllowed = isPermitted && (!entry.page || (standing !== null && isOn(standing, entry.page)))
  // The title of this frame is set after the one of what it holds.
  useTitle(t(isAllowed ? entry.title : 'shell:notFound.page'))
  if (!isAllowed) return <NotFound />
  return (
    <Suspense fallback={<ScreenSkeleton />}>
      <entry.Screen />
    </Suspense>
  )
}
