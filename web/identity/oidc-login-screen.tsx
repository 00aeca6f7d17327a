import { Button } from '@mantine/core'
import { Link, useLocation } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { leavePage } from '#web/data/leave-page.ts'
import { FullLoading } from '#web/kit/full-loading.tsx'
import { ApiError } from '#web/data/api-error.ts'
import { findOidcProvider, ssoStartUrl } from '#web/data/single-sign-on.ts'
import { SignInCard } from './sign-in-card.tsx'
import { SsoFault } from './sso-fault.tsx'
import styles from './login-screen.module.css'
import { safeOrigin } from './safe-origin.ts'

/** A single sign-on cannot start; `code` says why. */
class SsoStartError extends Error {
  override readonly name = 'SsoStartError'
  readonly code: string
  readonly id: string | null
  constructor(code: string, id: string | null = null) {
    super(code)
    this.code = code
    this.id = id
  }
}

const issuerNames = ['iss', 'issuer', 'oidc_issuer_url']

/** The path on this site of the page to open afterward (OpenID Connect Core, section 4). */
function parseTarget(address: string | null, ownOrigin: string): string | undefined {
  if (!address || !URL.canParse(address)) return undefined
  const { origin, pathname, search, hash } = new URL(address)
  return origin === ownOrigin ? pathname + search + hash : undefined
}

/** The URL that starts single sign-on, for the provider's id or issuer in the query. Throws SsoStartError. */
async function findSsoUrl(search: URLSearchParams, ownOrigin: string): Promise<string> {
  const options = {
    origin: safeOrigin(search.get('origin') ?? parseTarget(search.get('target_link_uri'), ownOrigin)),
    login_hint: search.get('login_hint') ?? '',
  }
  const providerId = search.get('provider_id')
  if (providerId) return ssoStartUrl({ provider_id: providerId, ...options })
  const issuer = issuerNames.map((name) => search.get(name)).find((value) => value !== null)
  if (issuer === undefined) throw new SsoStartError('MISSING_ISS_PARAMETER')
  try {
    return ssoStartUrl({ provider_id: (await findOidcProvider(issuer ?? '')).gidp_provider_id, ...options })
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    throw new SsoStartError(/^([A-Z_]{3,40}):/.exec(error.message)?.[1] ?? 'PROVIDER_FAILED', error.id)
  }
}

/** `/oidc/login`: finds the provider of the query and redirects to it. */
export function OidcLoginScreen() {
  const { t } = useTranslation()
  const { searchStr } = useLocation()
  const [fault, setFault] = useState<SsoStartError | null>(null)

  useEffect(() => {
    let isUnmounted = false
    findSsoUrl(new URLSearchParams(searchStr), window.location.origin).then(
      (address) => {
        if (!isUnmounted) leavePage(address, { replace: true })
      },
      (error: unknown) => {
        if (!isUnmounted)
          setFault(error instanceof SsoStartError ? error : new SsoStartError('PROVIDER_FAILED'))
      },
    )
    return () => {
      isUnmounted = true
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
