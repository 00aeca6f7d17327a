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

/** A link as an address of this site, whatever host it names: nobody is led away by it. */
export function ownAddress(link: string, origin: string): string {
  if (!URL.canParse(link, origin)) return '/login'
  const { protocol, pathname, search, hash } = new URL(link, origin)
  // A path of two slashes would name a host.
  return /^https?:$/.test(protocol) ? `${pathname.replace(/^\/+/, '/')}${search}${hash}` : '/login'
}

// Before sign-in the texts of the rooms are not there, and are more than this page needs. (Tests have them all.)
if (i18next.isInitialized) i18next.addResourceBundle('en-US', 'users', texts, true)

/** Where an invitation's link leads: on to the choice of a password, or it says that the invitation is over. */
export function OnboardingScreen() {
  const { t } = useTranslation()
  const { uuid = '' } = useParams({ strict: false }) as { uuid?: string }
  const [found, setFound] = useState<'over' | ApiError | null>(null)

  const ask = useCallback(async () => {
    setFound(null)
    try {
      const invitation = await findOnboarding(uuid)
      if (invitation) leavePage(ownAddress(invitation.link, location.origin))
      else setFound('over')
    } catch (caught) {
      if (!(caught instanceof ApiError)) throw caught
      setFound(caught)
    }
  }, [uuid])
  useEffect(() => void ask(), [ask])

  if (!found) return <FullLoading />
  return (
    <main className={styles['page']}>
      {found === 'over' ? (
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
          <h1 className="only-read">{t('shell:pages.onboarding')}</h1>
          <FailedState error={found} title={t('users:onboarding.failed')} onRetry={() => void ask()} />
        </>
      )}
    </main>
  )
}
