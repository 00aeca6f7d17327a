import { lazy, Suspense, useState, type ReactNode, useEffect } from 'react'
import type { User } from '#contract/identity.ts'
import { now } from '#web/data/clock.ts'
import { FullLoading } from '#web/kit/full-loading.tsx'
import { useMe } from '#web/shell/me.tsx'
import type { ProfileView } from './profile/profile-view.ts'
import { hasWish } from './session/wishes.ts'
import { sessionEnd } from '#web/data/signals.ts'
import { readLastActive, writeLastActive, storageKeys } from '#web/shell/browser-storage.ts'
import { isIdle, watchIdle } from './session/watch-idle.ts'

/** Signs out whoever does nothing for too long, and when another tab signs out. Answers whether that was so at load already: then nothing is to be shown. */
function useIdleSignOut(): boolean {
  const [wasIdle] = useState(() => isIdle(readLastActive(), now()))
  useEffect(
    () =>
      watchIdle({
        now,
        lastActive: readLastActive,
        noteActive: writeLastActive,
        page: window,
        storageKey: storageKeys.lastActive,
        onIdle: () => sessionEnd.write({ reason: 'idle' }),
        onElsewhere: () => sessionEnd.write({ reason: 'elsewhere' }),
      }),
    [],
  )
  return wasIdle
}

// Few users meet one of these at a visit.
const EnrolPage = lazy(async () => ({ default: (await import('./enrolment/enrol-page.tsx')).EnrolPage }))
const ProfileDialog = lazy(async () => ({
  default: (await import('./profile/profile-dialog.tsx')).ProfileDialog,
}))
const TermsDialog = lazy(async () => ({ default: (await import('./terms-dialog.tsx')).TermsDialog }))

/** Where the profile goes on, for who has a second factor and signed in anew for what was under way. */
function resumedView({ id, enrolledFactors }: User): ProfileView | null {
  if (enrolledFactors.length === 0) return null
  if (hasWish('unenroll', id, now())) return { at: 'remove', isAgreed: true }
  const missing = (['totp', 'phone'] as const).find(
    (kind) => !enrolledFactors.some((factor) => factor.kind === kind),
  )
  return missing && hasWish('enroll', id, now()) ? { at: 'add', kind: missing } : null
}

/**
 * Between who is signed in and the app: a second factor where one is required or was asked for, what was under way before a newer
 * sign-in, the terms of service, and the end of those who do nothing. An administrator who looks on as somebody meets none but the last.
 */
export function IdentityGate({ children }: { children: ReactNode }) {
  const { user } = useMe()
  const wasIdle = useIdleSignOut()
  const isOwn = !user.impersonatedBy
  const isEnrolled = user.enrolledFactors.length > 0
  const [isAskedFor, setIsAskedFor] = useState(
    () => isOwn && !isEnrolled && hasWish('enroll', user.id, now()),
  )
  const [resumed, setResumed] = useState(() => (isOwn ? resumedView(user) : null))
  const [enrolling, setEnrolling] = useState<'no' | 'begun' | 'done'>('no')
  const mustEnrol = isOwn && !isEnrolled && (user.mfaRequired || isAskedFor)
  // Once begun it stays until it says that it is done: the recovery codes must not go when the new factor becomes known.
  // And once it is done, the answer that knows the new factor may come a moment later.
  if (mustEnrol && enrolling === 'no') setEnrolling('begun')
  if (!mustEnrol && enrolling === 'done') setEnrolling('no')
  const enrolled = () => {
    setIsAskedFor(false)
    setEnrolling('done')
  }

  if (wasIdle) return <FullLoading />
  if (mustEnrol || enrolling === 'begun')
    return (
      <Suspense fallback={<FullLoading />}>
        <EnrolPage onDone={enrolled} />
      </Suspense>
    )
  return (
    <>
      {children}
      <Suspense>
        {isOwn && !user.acceptedTermsOfService ? (
          <TermsDialog />
        ) : resumed ? (
          <ProfileDialog first={resumed} onClose={() => setResumed(null)} />
        ) : null}
      </Suspense>
    </>
  )
}
