import { lazy, Suspense, useState, type ReactNode, useEffect } from 'react'
import type { User } from '#contract/identity.ts'
import { now } from '#web/data/clock.ts'
import { FullLoading } from '#web/kit/full-loading.tsx'
import { useMe } from '#web/shell/me.tsx'
import { sessionEnd } from '#web/data/signals.ts'
import { readLastActive, writeLastActive, storageKeys } from '#web/shell/browser-storage.ts'
import type { ProfileView } from './profile/profile-view.ts'
import { hasPendingAction } from './session/pending-actions.ts'
import { isIdle, trackInactivity } from './session/track-inactivity.ts'

/**
 * Signs out when the user is inactive or another tab signs out. Returns whether the user was already idle
 * when the page loaded: then no content may be shown.
 */
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

// Loaded lazily: most visits need none of these.
const EnrollPage = lazy(async () => ({ default: (await import('./enrollment/enroll-page.tsx')).EnrollPage }))
const ProfileDialog = lazy(async () => ({
  default: (await import('./profile/profile-dialog.tsx')).ProfileDialog,
}))
const TermsDialog = lazy(async () => ({ default: (await import('./terms-dialog.tsx')).TermsDialog }))

/** Finds the profile view that resumes an action which required a newer sign-in; null if none is pending. */
function findResumedView({ id, enrolledFactors }: User): ProfileView | null {
  if (enrolledFactors.length === 0) return null
  if (hasPendingAction('unenroll', id, now())) return { name: 'remove', isAgreed: true }
  const missing = (['totp', 'phone'] as const).find(
    (kind) => !enrolledFactors.some((factor) => factor.kind === kind),
  )
  return missing && hasPendingAction('enroll', id, now()) ? { name: 'add', kind: missing } : null
}

/**
 * Renders the app after these checks: inactivity, a second factor that is required or requested, the terms of
 * service, and an action that was pending before a new sign-in. For impersonating administrators only
 * inactivity is checked.
 */
export function IdentityGate({ children }: { children: ReactNode }) {
  const { user } = useMe()
  const wasIdle = useIdleSignOut()
  const isOwn = !user.impersonatedBy
  const isEnrolled = user.enrolledFactors.length > 0
  const [isEnrollmentRequested, setIsEnrollmentRequested] = useState(
    () => isOwn && !isEnrolled && hasPendingAction('enroll', user.id, now()),
  )
  const [resumed, setResumed] = useState(() => (isOwn ? findResumedView(user) : null))
  const [enrolling, setEnrolling] = useState<'no' | 'started' | 'done'>('no')
  const mustEnroll = isOwn && !isEnrolled && (user.mfaRequired || isEnrollmentRequested)
  // Once started, enrollment stays open until it is done: the recovery codes must not disappear when the new
  // factor is loaded. `done` then lasts until the user with the new factor is loaded, so that it does not
  // start again.
  if (mustEnroll && enrolling === 'no') setEnrolling('started')
  if (!mustEnroll && enrolling === 'done') setEnrolling('no')
  const handleEnrolled = () => {
    setIsEnrollmentRequested(false)
    setEnrolling('done')
  }

  if (wasIdle) return <FullLoading />
  if (mustEnroll || enrolling === 'started')
    return (
      <Suspense fallback={<FullLoading />}>
        <EnrollPage onDone={handleEnrolled} />
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
