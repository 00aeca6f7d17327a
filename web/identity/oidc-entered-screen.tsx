import { useLocation, useRouter } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { now } from '#web/data/clock.ts'
import { findSessionProvider } from '#web/data/single-sign-on.ts'
import { FullLoading } from '#web/kit/full-loading.tsx'
import { writeLastActive } from '#web/shell/browser-storage.ts'
import { safeOrigin } from './safe-origin.ts'
import { saveProvider } from './saved-provider.ts'

/** `/oidc/entered`: after a single sign-on. Remembers the provider and continues. */
export function OidcEnteredScreen() {
  const router = useRouter()
  const { searchStr } = useLocation()
  // Read once: the URL changes while the next screen is loaded.
  const [place] = useState(() => safeOrigin(new URLSearchParams(searchStr).get('origin') ?? undefined))

  useEffect(() => {
    let isGone = false
    writeLastActive(now())
    const goOn = () => {
      if (!isGone) router.history.replace(place)
    }
    // Not essential: without it the next sign-in begins with an empty field.
    findSessionProvider()
      .then(({ provider_id: providerId, name, email }) => saveProvider({ providerId, name, email }))
      .then(goOn, goOn)
    return () => {
      isGone = true
    }
  }, [router, place])

  return <FullLoading />
}
