import { QueryClientProvider } from '@tanstack/react-query'
import { Suspense, useContext, useRef, useState, type ReactNode } from 'react'
import { newQueryClient } from '#web/data/query.ts'
import { FullLoading } from '#web/kit/full-loading.tsx'
import { AppUpdated } from './app-updated.tsx'
import { AskAhead } from './ask-ahead.tsx'
import { MeProvider } from './me.tsx'
import { OfflineBlocker } from './offline-blocker.tsx'
import { PageFrame } from './page-frame.tsx'
import { RegionProvider } from './region.tsx'
import { ScreenSizeNotice } from './screen-size-notice.tsx'
import { ShellSlotsContext } from './shell-slots.ts'
import { useKeptFocus } from './use-kept-focus.ts'
import { useLeaveAtSessionEnd } from './use-leave-at-session-end.ts'

/** Around every page of signed-in users. */
export function Shell() {
  // Answers live as long as the frame: what one user was answered is never shown to the next.
  const [client] = useState(newQueryClient)
  const isLeaving = useLeaveAtSessionEnd(client)
  const content = useRef<HTMLElement>(null)
  useKeptFocus(content)

  if (isLeaving) return <FullLoading />
  return (
    <QueryClientProvider client={client}>
      <AskAhead />
      <MeProvider>
        <Gated>
          <RegionProvider>
            <PageFrame content={content} />
            <ScreenSizeNotice />
          </RegionProvider>
        </Gated>
      </MeProvider>
      <AppUpdated />
      <OfflineBlocker />
    </QueryClientProvider>
  )
}

/** Behind the gate of the identity room, where it has one. */
function Gated({ children }: { children: ReactNode }) {
  const { Gate } = useContext(ShellSlotsContext)
  return Gate ? (
    <Suspense fallback={<FullLoading />}>
      <Gate>{children}</Gate>
    </Suspense>
  ) : (
    children
  )
}
