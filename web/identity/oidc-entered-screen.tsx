import { useLocation, useRouter } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { now } from '#web/data/clock.ts'
import { findSessionProvider } from '#web/data/single-sign-on.ts'
import { FullLoading } from '#web/kit/full-loading.tsx'
import { writeLastActive } from '#web/shell/browser-storage.ts'
import { safeOrigin } from './safe-origin.ts'
import { saveProvider } from './saved-provider.ts'

/** `/oidc/entered`: after a single sign-on. Remembers by whom the user came, as the server says it, and goes on. */
export function OidcEnteredScreen() {
  const router = useRouter()
  const { searchStr } = useLocation()
  // Read once: the address changes while the next screen is fetched.
  const [place] = useState(() => safeOrigin(new URLSearchParams(searchStr).get('origin') ?? undefined))

  useEffect(() => {
    let isGone = false
    writeLastActive(now())
    const goOn = () => {
      if (!isGone) router.history.replace(place)
    }
    // Without it the sign-in is as good: only the next one begins with an empty field.
    findSessionProvider()
      .then(({ provider_id: providerId, name, email }) => saveProvider({ providerId, name, email }))
      .then(goOn, goOn)
    return () => {
      isGone = true
    }
  }, [router, place])

  return <FullLoading />
}
