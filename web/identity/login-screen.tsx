import { useRouter, useSearch } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { DemoSignIns } from './demo-sign-ins.tsx'
import { FirstSso } from './first-sso.tsx'
import { LoginForm } from './login-form.tsx'
import { ReturnedSsoFault } from './returned-sso-fault.tsx'
import { safeOrigin } from './safe-origin.ts'
import { SavedProviderForm } from './saved-provider-form.tsx'
import { forgetProvider, savedProvider } from './saved-provider.ts'
import { SignInCard } from './sign-in-card.tsx'

export function LoginScreen() {
  const router = useRouter()
  const { origin } = useSearch({ strict: false }) as { origin?: string }
  const [filled, setFilled] = useState({ email: '', password: '' })
  const [saved, setSaved] = useState(savedProvider)
  const [hasForgotten, setHasForgotten] = useState(false)
  const place = safeOrigin(origin)

  const forget = () => {
    forgetProvider()
    setSaved(null)
    setHasForgotten(true)
  }
  // The button that had the focus is gone: another address is typed next.
  useEffect(() => {
    if (hasForgotten) document.querySelector<HTMLInputElement>('input[name=email]')?.focus()
  }, [hasForgotten])

  return (
    <SignInCard>
      <ReturnedSsoFault />
      {saved ? (
        <SavedProviderForm saved={saved} origin={place} onForget={forget} />
      ) : (
        <>
          <LoginForm filled={filled} onFill={setFilled} onEntered={() => router.history.push(place)} />
          <FirstSso email={filled.email} origin={place} />
          <DemoSignIns onPick={setFilled} />
        </>
      )}
    </SignInCard>
  )
}
