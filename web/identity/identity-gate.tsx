import { lazy, Suspense, useState, type ReactNode, useEffect } from 'react'
import type { User } from '#contract/identity.ts'
import { now } from '#web/data/clock.ts'
import { FullLoading } from '#web/kit/full-loading.tsx'
import { useMe } from '#web/shell/me.tsx'
import type { ProfileView } from './profile/profile-view.ts'
import { hasPendingAction } from './session/pending-actions.ts'
import { sessionEnd } from '#web/data/signals.ts'
import { readLastActive, writeLastActive, storageKeys } from '#web/shell/browser-storage.ts'
import { isIdle, trackInactivity } from './session/track-inactivity.ts'

/** Signs out inactive users, and when another tab signs out. Returns whether the user was idle at load already: then nothing is shown. */
function useIdleSignOut(): boolean {
  const [wasIdle] = useState(() => isIdle(readLastActive(), now()))
  useEffect(
    () =>
      trackInactivity({
        now,
        lastActive: readLastActive,
        onActivity: writeLastActive,
        page: window,
        storageKey: storageKeys.lastActive,
        onIdle: () => sessionEnd.write({ reason: 'idle' }),
        onSignedOutElsewhere: () => sessionEnd.write({ reason: 'elsewhere' }),
      }),
    [],
  )
  return wasIdle
}

// Loaded lazily: few users need one of these at a visit.
const EnrolPage = lazy(async () => ({ default: (await import('./enrolment/enrol-page.tsx')).EnrolPage }))
const ProfileDialog = lazy(async () => ({
  default: (await import('./profile/profile-dialog.tsx')).ProfileDialog,
}))
const TermsDialog = lazy(async () => ({ default: (await import('./terms-dialog.tsx')).TermsDialog }))

/** The view in which the profile resumes after a new sign-in for a pending action. */
function resumedView({ id, enrolledFactors }: User): ProfileView | null {
  if (enrolledFactors.length === 0) return null
  if (hasPendingAction('unenroll', id, now())) return { at: 'remove', isAgreed: true }
  const missing = (['totp', 'phone'] as const).find(
    (kind) => !enrolledFactors.some((factor) => factor.kind === kind),
  )
  return missing && hasPendingAction('enroll', id, now()) ? { at: 'add', kind: missing } : null
}

/**
 * Renders the app after these checks: a required or requested second factor, an action pending before a new sign-in, the terms of service,
 * and inactivity. Impersonating administrators see only the last.
 */
export function IdentityGate({ children }: { children: ReactNode }) {
  const { user } = useMe()
  const wasIdle = useIdleSignOut()
  const isOwn = !user.impersonatedBy
  const isEnrolled = user.enrolledFactors.length > 0
  const [isRequested, setIsRequested] = useState(
    () => isOwn && !isEnrolled && hasPendingAction('enroll', user.id, now()),
  )
  const [resumed, setResumed] = useState(() => (isOwn ? resumedView(user) : null))
  const [enrolling, setEnrolling] = useState<'no' | 'begun' | 'done'>('no')
  const mustEnrol = isOwn && !isEnrolled && (user.mfaRequired || isRequested)
  // Once started it stays until it is done: the recovery codes must not disappear when the new factor becomes known.
  // And once it is done, the response with the new factor may arrive a moment later.
  if (mustEnrol && enrolling === 'no') setEnrolling('begun')
  if (!mustEnrol && enrolling === 'done') setEnrolling('no')
  const enrolled = () => {
    setIsRequested(false)
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
