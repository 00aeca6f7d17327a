import { Button } from '@mantine/core'
import { Link, useLocation } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { leavePage } from '#web/data/leave-page.ts'
import { FullLoading } from '#web/kit/full-loading.tsx'
import { ApiError } from '#web/data/api-error.ts'
import { findOidcProvider, getSsoStartUrl } from '#web/data/single-sign-on.ts'
import { SignInCard } from './sign-in-card.tsx'
import { SsoFault } from './sso-fault.tsx'
import styles from './login-screen.module.css'
import { getSafePath } from './safe-path.ts'

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

/** Names of the query parameter with the issuer of the provider. */
const issuerParameters = ['iss', 'issuer', 'oidc_issuer_url']
/** An error code at the start of a message of the server. */
const errorCodePattern = /^([A-Z_]{3,40}):/

/** Returns the path of a `target_link_uri` (OpenID Connect Core, section 4) if it is on this site. */
function parseTargetPath(address: string | null, ownOrigin: string): string | undefined {
  if (!address || !URL.canParse(address)) return undefined
  const { origin, pathname, search, hash } = new URL(address)
  return origin === ownOrigin ? pathname + search + hash : undefined
}

/**
 * Returns the URL that starts single sign-on with the provider of the query, by its id or issuer.
 * @throws SsoStartError if the provider is missing or cannot be used
 */
async function findSsoUrl(search: URLSearchParams, ownOrigin: string): Promise<string> {
  const options = {
    origin: getSafePath(search.get('origin') ?? parseTargetPath(search.get('target_link_uri'), ownOrigin)),
    login_hint: search.get('login_hint') ?? '',
  }
  const providerId = search.get('provider_id')
  if (providerId) return getSsoStartUrl({ provider_id: providerId, ...options })
  const issuer = issuerParameters.map((name) => search.get(name)).find((value) => value !== null)
  if (issuer === undefined) throw new SsoStartError('MISSING_ISS_PARAMETER')
  try {
    return getSsoStartUrl({
      provider_id: (await findOidcProvider(issuer ?? '')).gidp_provider_id,
      ...options,
    })
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    throw new SsoStartError(errorCodePattern.exec(error.message)?.[1] ?? 'PROVIDER_FAILED', error.id)
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
