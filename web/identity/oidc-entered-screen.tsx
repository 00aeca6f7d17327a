import { useLocation, useRouter } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { now } from '#web/data/clock.ts'
import { findSessionProvider } from '#web/data/single-sign-on.ts'
import { FullLoading } from '#web/kit/full-loading.tsx'
import { writeLastActive } from '#web/shell/browser-storage.ts'
import { getSafePath } from './safe-path.ts'
import { saveProvider } from './saved-provider.ts'

/** `/oidc/entered`, opened after single sign-on: stores the provider and opens the requested page. */
export function OidcEnteredScreen() {
  const router = useRouter()
  const { searchStr } = useLocation()
  // Read once: the URL changes while the next screen is loaded.
  const [target] = useState(() => getSafePath(new URLSearchParams(searchStr).get('origin') ?? undefined))
  useEffect(() => {
    let isUnmounted = false
    writeLastActive(now())
    const proceed = () => {
      if (!isUnmounted) router.history.replace(target)
    }
    // A failure is ignored: the next sign-in then only starts with an empty field.
    findSessionProvider()
      .then(({ provider_id: providerId, name, email }) => saveProvider({ providerId, name, email }))
      .then(proceed, proceed)
    return () => {
      isUnmounted = true
    }
  }, [router, target])
  return <FullLoading />
}
