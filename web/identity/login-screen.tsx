import { useRouter, useSearch } from '@tanstack/react-router'
import { lazy, Suspense, useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { now } from '#web/data/clock.ts'
import { hasSession, type Challenge } from '#web/data/session.ts'
import { noteActive } from '#web/shell/last-active.ts'
import { rememberedUser } from '#web/shell/stored.ts'
import { challengeWays } from './challenge-ways.ts'
import { DemoSignIns } from './demo-sign-ins.tsx'
import type { Fault } from './fault-note.tsx'
import { FirstSso } from './first-sso.tsx'
import { LoginForm } from './login-form.tsx'
import { LoginLinks } from './login-links.tsx'
import { ReturnedSsoFault } from './returned-sso-fault.tsx'
import { safeOrigin } from './safe-origin.ts'
import { SaidNote } from './said-note.tsx'
import { SavedProviderForm } from './saved-provider-form.tsx'
import { forgetProvider, savedProvider } from './saved-provider.ts'
import { SignInCard } from './sign-in-card.tsx'

// Most users have no second factor: who has waits for it while the password is looked at.
const ChallengeForm = lazy(async () => ({ default: (await import('./challenge-form.tsx')).ChallengeForm }))

export function LoginScreen() {
  const { t } = useTranslation()
  const router = useRouter()
  const { origin, said } = useSearch({ strict: false }) as { origin?: string; said?: string }
  // Whose session expired begins with the same address: the user is stored until they sign out.
  const [filled, setFilled] = useState(() => ({ email: rememberedUser()?.email ?? '', password: '' }))
  const [fault, setFault] = useState<Fault | null>(null)
  const [challenge, setChallenge] = useState<Challenge | null>(null)
  const [saved, setSaved] = useState(savedProvider)
  const [hasForgotten, setHasForgotten] = useState(false)
  const place = safeOrigin(origin)

  // Whose session just ended is not sent back, whatever the browser still has.
  useEffect(() => {
    if (said !== undefined) return
    let hasLeft = false
    void hasSession().then((is) => (is && !hasLeft ? router.history.replace(place) : undefined))
    return () => {
      hasLeft = true
    }
  }, [router, place, said])

  const forget = () => {
    forgetProvider()
    setSaved(null)
    setHasForgotten(true)
  }
  // The button that had the focus is gone: another address is typed next.
  useEffect(() => {
    if (hasForgotten) document.querySelector<HTMLInputElement>('input[name=email]')?.focus()
  }, [hasForgotten])

  const enter = () => {
    noteActive(now())
    router.history.push(place)
  }
  const begin = (asked: Challenge) => {
    setFilled({ ...filled, password: '' })
    if (challengeWays(asked.methods).length > 0) setChallenge(asked)
    else setFault({ title: t('identity:error.mfaTitle'), text: t('identity:error.unsupported') })
  }
  const leaveChallenge = (reason: Fault | null) => {
    setChallenge(null)
    setFault(reason)
  }

  if (challenge)
    return (
      <SignInCard>
        <Suspense>
          <ChallengeForm
            ways={challengeWays(challenge.methods)}
            phoneHint={challenge.phoneHint}
            onEntered={enter}
            onBack={leaveChallenge}
          />
        </Suspense>
      </SignInCard>
    )
  return (
    <SignInCard foot={<LoginLinks />}>
      <SaidNote said={said} />
      <ReturnedSsoFault />
      {saved ? (
        <SavedProviderForm saved={saved} origin={place} onForget={forget} />
      ) : (
        <>
          <LoginForm
            filled={filled}
            onFill={setFilled}
            fault={fault}
            onFault={setFault}
            onChallenge={begin}
            onEntered={enter}
          />
          <FirstSso email={filled.email} origin={place} />
          <DemoSignIns onPick={setFilled} />
        </>
      )}
    </SignInCard>
  )
}
