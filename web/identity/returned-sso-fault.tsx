import { useLocation } from '@tanstack/react-router'
import { SsoFault } from './sso-fault.tsx'
import styles from './login-screen.module.css'

/** What the server says in the address after a single sign-on that failed. Anybody can write an address: only codes and ids are shown. */
export function ReturnedSsoFault() {
  // As it stands there: the router would take an id of digits for a number.
  const search = new URLSearchParams(useLocation().searchStr)
  const code = search.get('sso_error') ?? ''
  const id = search.get('sso_id') ?? ''
  if (!/^[A-Z_]{3,40}$/.test(code)) return null
  return (
    <div className={styles['returned']}>
      <SsoFault code={code} id={/^[0-9a-f]{8}$/.test(id) ? id : null} />
    </div>
  )
}
