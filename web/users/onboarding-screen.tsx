import { Anchor } from '@mantine/core'
import { IconMailOff } from '@tabler/icons-react'
import { useParams } from '@tanstack/react-router'
import i18next from 'i18next'
import { useCallback, useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ApiError } from '#web/data/api-error.ts'
import { findOnboarding } from '#web/data/onboarding.ts'
import { EmptyState } from '#web/kit/empty-state.tsx'
import { FailedState } from '#web/kit/failed-state.tsx'
import { FullLoading } from '#web/kit/full-loading.tsx'
import { leavePage } from '#web/data/leave-page.ts'
import styles from './onboarding-screen.module.css'
import texts from './users.onboarding.en.json' with { type: 'json' }

/** Returns a link's path, whatever its host, so that no link leads to another site; `/login` if it has none. */
export function toOwnUrl(link: string, origin: string): string {
  if (!URL.canParse(link, origin)) return '/login'
  const { protocol, pathname, search, hash } = new URL(link, origin)
  // A path that begins with two slashes would be another host.
  return /^https?:$/.test(protocol) ? `${pathname.replace(/^\/+/, '/')}${search}${hash}` : '/login'
}

// The texts of all rooms are loaded after sign-in; this page needs only these. (Tests load all texts.)
if (i18next.isInitialized) i18next.addResourceBundle('en-US', 'users', texts, true)

/** Target of an invitation's link: leads to the page to choose a password, or shows that it is invalid. */
export function OnboardingScreen() {
  const { t } = useTranslation()
  const { uuid = '' } = useParams({ strict: false }) as { uuid?: string }
  const [result, setResult] = useState<'invalid' | ApiError | null>(null)
  const load = useCallback(async () => {
    setResult(null)
    try {
      const invitation = await findOnboarding(uuid)
      if (invitation) leavePage(toOwnUrl(invitation.link, location.origin))
      else setResult('invalid')
    } catch (loadError) {
      if (!(loadError instanceof ApiError)) throw loadError
      setResult(loadError)
    }
  }, [uuid])
  useEffect(() => void load(), [load])
  if (!result) return <FullLoading />
  return (
    <main className={styles['page']}>
      {result === 'invalid' ? (
        <EmptyState
          order={1}
          title={t('users:onboarding.over')}
          icon={<IconMailOff />}
          action={<Anchor href="/login">{t('users:onboarding.toLogin')}</Anchor>}
        >
          {t('users:onboarding.overText')}
        </EmptyState>
      ) : (
        <>
          <h1 className="visually-hidden">{t('shell:pages.onboarding')}</h1>
          <FailedState error={result} title={t('users:onboarding.failed')} onRetry={() => void load()} />
        </>
      )}
    </main>
  )
}
