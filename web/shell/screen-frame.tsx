import { Suspense } from 'react'
import { useTranslation } from 'react-i18next'
import { isPageEnabled } from './features.ts'
import { useMe } from './me.tsx'
import { NotFound } from './not-found.tsx'
import { ScreenSkeleton } from './screen-skeleton.tsx'
import type { ScreenEntry } from './screen-entry.ts'
import { useTitle } from './title.ts'
import { useAccessContext } from './use-access-context.ts'

/** Wraps every screen of signed-in users: title, permission, features, and a skeleton while its code loads. */
export function ScreenFrame({ entry }: { entry: ScreenEntry }) {
  const { t } = useTranslation()
  const { can } = useMe()
  const access = useAccessContext()
  const isPermitted =
    entry.permission === 'public' || entry.permission === 'signed_in' || can(entry.permission)
  const isAllowed = isPermitted && (!entry.page || (access !== null && isPageEnabled(access, entry.page)))
  // Effects of a parent run after those of its children, so this title overrides theirs.
  useTitle(t(isAllowed ? entry.title : 'shell:notFound.page'))
  if (!isAllowed) return <NotFound />
  return (
    <Suspense fallback={<ScreenSkeleton />}>
      <entry.Screen />
    </Suspense>
  )
}
