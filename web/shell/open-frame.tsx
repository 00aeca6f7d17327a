import { Suspense } from 'react'
import { useTranslation } from 'react-i18next'
import { FullLoading } from '#web/kit/full-loading.tsx'
import type { ScreenEntry } from './screen-entry.ts'
import { useTitle } from './title.ts'

/** Around screens that need no sign-in. */
export function OpenFrame({ entry }: { entry: ScreenEntry }) {
  const { t } = useTranslation()
  useTitle(t(entry.title))
  return (
    <Suspense fallback={<FullLoading />}>
      <entry.Screen />
    </Suspense>
  )
}
