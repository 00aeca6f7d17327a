import { Button } from '@mantine/core'
import { Link, useLocation } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { leavePage } from '#web/data/leave-page.ts'
import { FullLoading } from '#web/kit/full-loading.tsx'
import { SignInCard } from './sign-in-card.tsx'
import { NoDestination, ssoDestination } from './sso-destination.ts'
import { SsoFault } from './sso-fault.tsx'
import styles from './login-screen.module.css'

/** `/oidc/login`: finds the provider that the address names, and leads there. */
export function OidcLoginScreen() {
  const { t } = useTranslation()
  const { searchStr } = useLocation()
  const [fault, setFault] = useState<NoDestination | null>(null)

  useEffect(() => {
    let isGone = false
    ssoDestination(new URLSearchParams(searchStr), window.location.origin).then(
      (address) => {
        if (!isGone) leavePage(address, { replace: true })
      },
      (error: unknown) => {
        if (!isGone) setFault(error instanceof NoDestination ? error : new NoDestination('PROVIDER_FAILED'))
      },
    )
    return () => {
      isGone = true
    }
  }, [searchStr])

  if (!fault) return <FullLoading />
  return (
    <SignInCard>
      <div className={styles['form']}>
        <SsoFault code={fault.code} id={fault.id} />
        <Button variant="default" renderRoot={(props) => <Link to="/login" {...props} />}>
          {t('identity:sso.back')}
        </Button>
      </div>
    </SignInCard>
  )
}
