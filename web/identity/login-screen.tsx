import { useRouter, useSearch, useLocation } from '@tanstack/react-router'
import { lazy, Suspense, useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Button, UnstyledButton } from '@mantine/core'
import { now } from '#web/data/clock.ts'
import { hasSession, type Challenge, findDemo, type Demo } from '#web/data/session.ts'
import { writeLastActive, rememberedUser } from '#web/shell/browser-storage.ts'
import type { ChallengeMethod } from '#web/data/second-factor.ts'
import { leavePage } from '#web/data/leave-page.ts'
import { getSsoStartUrl } from '#web/data/single-sign-on.ts'
import { languages, changeLanguage, storedLanguage, type Language } from '#web/i18n/start-i18n.ts'
import { mailtoUrl, support } from '#web/shell/support.ts'
import { type Fault, ReasonNote } from './notes.tsx'
import { LoginForm, type SignIn } from './login-form.tsx'
import { getSafePath } from './safe-path.ts'
import { forgetProvider, readSavedProvider, type SavedProvider } from './saved-provider.ts'
import { SignInCard } from './sign-in-card.tsx'
import { SsoFault } from './sso-fault.tsx'
import styles from './login-screen.module.css'
import { EntryField } from './entry-field.tsx'

interface Props {
  provider: SavedProvider
  origin: string
  onForget: () => void
}

/** For users who last signed in by single sign-on: the same provider, or a link to use another account. */
function SavedProviderForm({ provider, origin, onForget }: Props) {
  const { t } = useTranslation()
  const { providerId, name, email } = provider
  return (
    <form
      className={styles['form']}
      onSubmit={(event) => {
        event.preventDefault()
        leavePage(getSsoStartUrl({ provider_id: providerId, login_hint: email, origin }))
      }}
    >
      <EntryField
        label={t('identity:email')}
        type="email"
        value={email}
        disabled
        hint={t('identity:sso.with', { name })}
      />
      <Button type="submit" fullWidth>
        {t('identity:sso.login')}
      </Button>
      <Button
        variant="subtle"
        size="compact-sm"
        classNames={{ root: styles['long'] ?? '', label: styles['whole'] ?? '' }}
        onClick={onForget}
      >
        {t('identity:sso.other', { email })}
      </Button>
    </form>
  )
}

/** In the demo city: its users; a click fills in the form. */
function DemoSignIns({ onPick }: { onPick: (filled: SignIn) => void }) {
  const { t } = useTranslation()
  const [demo, setDemo] = useState<Demo | null>(null)
  useEffect(() => {
    // Without a response there is nothing to offer; the form reports an unreachable server itself.
    findDemo().then(setDemo, () => setDemo(null))
  }, [])
  if (!demo) return null
  return (
    <section className={styles['demo']} aria-label={t('identity:demo.title')}>
      <p className={styles['strong']}>{t('identity:demo.title')}</p>
      <p className={styles['line']}>{t('identity:demo.text')}</p>
      <div className={styles['picks']}>
        {demo.sign_ins.map(({ email, password, role }) => (
          <UnstyledButton
            key={email}
            className={styles['pick'] ?? ''}
            onClick={() => onPick({ email, password })}
          >
            <span>{email}</span>
            <span className={styles['quiet']}>{role}</span>
          </UnstyledButton>
        ))}
      </div>
    </section>
  )
}

/** Links below the form: terms, contact for demos, language. */
function LoginLinks() {
  const { t } = useTranslation()
  return (
    <footer className={styles['links']}>
      <a className={styles['link']} href="/terms">
        {t('identity:terms')}
      </a>
      <a
        className={styles['link']}
        href={mailtoUrl(support.email(), t('identity:demoMail.subject'), t('identity:demoMail.body'))}
      >
        {t('identity:requestDemo')}
      </a>
      <select
        className={styles['language']}
        aria-label={t('identity:language')}
        value={storedLanguage()}
        onChange={(event) => void changeLanguage(event.currentTarget.value as Language)}
      >
        {Object.entries(languages).map(([key, name]) => (
          <option key={key} value={key} lang={key}>
            {name}
          </option>
        ))}
      </select>
    </footer>
  )
}

const emailPattern = /^\S+@\S+\.\S+$/

/** The first single sign-on in this browser: the e-mail's domain determines the provider. */
function FirstSso({ email, origin }: { email: string; origin: string }) {
  const { t } = useTranslation()
  const [isSubmitted, setIsSubmitted] = useState(false)
  const isEmail = emailPattern.test(email.trim())
  const leave = () => {
    setIsSubmitted(true)
    if (isEmail) leavePage(getSsoStartUrl({ login_hint: email.trim(), origin }))
    else document.querySelector<HTMLInputElement>('input[name=email]')?.focus()
  }
  return (
    <div className={styles['sso']}>
      <Button variant="default" fullWidth onClick={leave}>
        {t('identity:sso.first')}
      </Button>
      {isSubmitted && !isEmail ? (
        <p role="status" className={styles['note']}>
          {t('identity:sso.needsEmail')}
        </p>
      ) : null}
    </div>
  )
}

/** The error in the URL after a failed sign-on. Anybody can write a URL: only codes and ids are shown. */
function ReturnedSsoFault() {
  // The raw parameter: the router would parse an id of digits as a number.
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

const supportedMethods = ['totp', 'otp'] as const

/** Lists the supported methods of a challenge in the server's order, recovery codes last; empty if none is. */
export function listChallengeMethods(methods: readonly string[]): readonly ChallengeMethod[] {
  const usableMethods = methods.flatMap(
    (method) => supportedMethods.find((supported) => supported === method) ?? [],
  )
  return usableMethods.length > 0 ? [...new Set(usableMethods), 'recovery'] : []
}

// Loaded lazily while the password is checked: most users have no second factor.
const ChallengeForm = lazy(async () => ({ default: (await import('./challenge-form.tsx')).ChallengeForm }))

/** The sign-in page, which is skipped if there is a session. */
export function LoginScreen() {
  const { t } = useTranslation()
  const router = useRouter()
  const { origin, said: signOutReason } = useSearch({ strict: false }) as { origin?: string; said?: string }
  // After an expired session the address is filled in: the user is remembered until they sign out.
  const [filled, setFilled] = useState(() => ({ email: rememberedUser()?.email ?? '', password: '' }))
  const [fault, setFault] = useState<Fault | null>(null)
  const [challenge, setChallenge] = useState<Challenge | null>(null)
  const [savedProvider, setSavedProvider] = useState(readSavedProvider)
  const [hasForgotten, setHasForgotten] = useState(false)
  const target = getSafePath(origin)

  // Skips this page if there is a session; not if the URL says why the last one ended.
  useEffect(() => {
    if (signOutReason !== undefined) return
    let hasLeft = false
    void hasSession().then((isSignedIn) =>
      isSignedIn && !hasLeft ? router.history.replace(target) : undefined,
    )
    return () => {
      hasLeft = true
    }
  }, [router, target, signOutReason])
  const forget = () => {
    forgetProvider()
    setSavedProvider(null)
    setHasForgotten(true)
  }
  // The button that had the focus is gone; the user types another address next.
  useEffect(() => {
    if (hasForgotten) document.querySelector<HTMLInputElement>('input[name=email]')?.focus()
  }, [hasForgotten])
  const enter = () => {
    writeLastActive(now())
    router.history.push(target)
  }
  const startChallenge = (next: Challenge) => {
    setFilled({ ...filled, password: '' })
    if (listChallengeMethods(next.methods).length > 0) setChallenge(next)
    else setFault({ title: t('identity:error.mfaTitle'), text: t('identity:error.unsupported') })
  }
  const leaveChallenge = (challengeFault: Fault | null) => {
    setChallenge(null)
    setFault(challengeFault)
  }
  if (challenge)
    return (
      <SignInCard>
        <Suspense>
          <ChallengeForm
            methods={listChallengeMethods(challenge.methods)}
            phoneHint={challenge.phoneHint}
            onEntered={enter}
            onBack={leaveChallenge}
          />
        </Suspense>
      </SignInCard>
    )
  return (
    <SignInCard foot={<LoginLinks />}>
      <ReasonNote reason={signOutReason} />
      <ReturnedSsoFault />
      {savedProvider ? (
        <SavedProviderForm provider={savedProvider} origin={target} onForget={forget} />
      ) : (
        <>
          <LoginForm
            filled={filled}
            onFill={setFilled}
            fault={fault}
            onFault={setFault}
            onChallenge={startChallenge}
            onEntered={enter}
          />
          <FirstSso email={filled.email} origin={target} />
          <DemoSignIns onPick={setFilled} />
        </>
      )}
    </SignInCard>
  )
}
