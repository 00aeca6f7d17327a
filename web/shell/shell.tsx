import { QueryClientProvider } from '@tanstack/react-query'
import { Outlet } from '@tanstack/react-router'
import { Suspense, useContext, useRef, useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { newQueryClient } from '#web/data/query.ts'
import { FullLoading } from '#web/kit/full-loading.tsx'
import { AppUpdated } from './app-updated.tsx'
import { MeProvider } from './me.tsx'
import { OfflineBlocker } from './offline-blocker.tsx'
import { RegionProvider } from './region.tsx'
import { ScreenSizeNotice } from './screen-size-notice.tsx'
import { Shelf } from './shelf.tsx'
import { ShellSlotsContext } from './shell-slots.ts'
import { SmallMenu } from './small-menu.tsx'
import { TopBar } from './top-bar.tsx'
import { useKeptFocus } from './use-kept-focus.ts'
import { useLeaveAtSessionEnd } from './use-leave-at-session-end.ts'
import styles from './shell.module.css'

/** The frame of every page of signed-in users. */
export function Shell() {
  const { t } = useTranslation()
  const [menuOpen, setMenuOpen] = useState(false)
  // Answers live as long as the frame: what one user was answered is never shown to the next.
  const [client] = useState(newQueryClient)
  const isLeaving = useLeaveAtSessionEnd(client)
  const content = useRef<HTMLElement>(null)
  useKeptFocus(content)

  if (isLeaving) return <FullLoading />
  return (
    <QueryClientProvider client={client}>
      <MeProvider>
        <Gated>
          <RegionProvider>
            <a href="#content" className={styles['skip']}>{t('shell:skip')}</a>
            <div className={styles['frame']}>
              <TopBar onMenu={() => setMenuOpen(true)} />
              <Shelf />
              <main ref={content} id="content" tabIndex={-1} className={styles['content']}>
                <Outlet />
              </main>
            </div>
            <SmallMenu opened={menuOpen} onClose={() => setMenuOpen(false)} />
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
  return Gate ? <Suspense fallback={<FullLoading />}><Gate>{children}</Gate></Suspense> : children
}
