import { QueryClientProvider, useQueryClient, type QueryClient } from '@tanstack/react-query'
import {
  Suspense,
  useContext,
  useRef,
  useState,
  type ReactNode,
  useEffect,
  type RefObject,
  useSyncExternalStore,
  useEffectEvent,
} from 'react'
import { useRouter, useMatches, useParams, Outlet, useLocation, useNavigate } from '@tanstack/react-router'
import { Button, Group, Text, Modal } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { useNetwork } from '@mantine/hooks'
import { getOrganization } from '#contract/organizations.ts'
import { getRegion } from '#contract/regions.ts'
import { getPing } from '#contract/identity.ts'
import { createQueryClient, prefetch } from '#web/data/query.ts'
import { focusTable, mapPageMark, useLostFocus } from '#web/kit/focus.ts'
import { useShortcuts } from '#web/kit/use-shortcuts.ts'
import { FullLoading } from '#web/kit/full-loading.tsx'
import {
  hasVersionMismatch,
  isServerUnreachable,
  sessionEnd,
  type SessionEndReason,
} from '#web/data/signals.ts'
import { Dialog } from '#web/kit/dialog.tsx'
import { call } from '#web/data/client.ts'
import { signOut } from '#web/data/session.ts'
import { MeProvider } from './me.tsx'
import { RegionProvider } from './region.tsx'
import { ScreenSizeNotice } from './screen-size-notice.tsx'
import { ShellSlotsContext } from './screen-entry.ts'
import { rememberedUser } from './browser-storage.ts'
import { isPageEnabled } from './features.ts'
import { Shelf } from './shelf.tsx'
import styles from './shell.module.css'
import { SmallMenu } from './small-menu.tsx'
import { TopBar } from './top-bar.tsx'
import { useCurrentPage } from './use-current-page.ts'
import { useAccessContext } from './use-access-context.ts'
import { forgetSession } from './impersonation.ts'

/** Reasons for which the client must sign out; for the others, the session has already ended at the server. */
const clientSideEndReasons: readonly SessionEndReason[] = ['refused', 'idle', 'tooOld']
/** Reasons that the sign-in page explains to the user. */
const explainedEndReasons: readonly SessionEndReason[] = ['idle', 'tooOld']

/** When the session ends, redirects to the sign-in page. Returns whether nothing more may be shown. */
function useSessionEndRedirect(client: QueryClient): boolean {
  const currentEnd = useSyncExternalStore(sessionEnd.watch, sessionEnd.read)
  const [initialEnd] = useState(currentEnd)
  const { href } = useLocation()
  const navigate = useNavigate()
  const isLeaving = currentEnd !== null && currentEnd !== initialEnd
  const hasLeft = useRef(false)
  const leave = useEffectEvent(async (reason: SessionEndReason) => {
    // Concurrent calls fail together; only the first one redirects.
    if (hasLeft.current) return
    hasLeft.current = true
    // If sign-out fails, the cookie remains. The stored time of the last activity then locks out the next visitor.
    const isSignedOut =
      !clientSideEndReasons.includes(reason) ||
      (await signOut().then(
        () => true,
        () => false,
      ))
    client.clear()
    if (isSignedOut && reason !== 'expired') forgetSession()
    await navigate({
      to: '/login',
      search: { origin: href, ...(explainedEndReasons.includes(reason) ? { said: reason } : {}) },
      replace: true,
    })
  })
  useEffect(() => {
    if (currentEnd && isLeaving) void leave(currentEnd.reason)
  }, [currentEnd, isLeaving])
  return isLeaving
}

const pingIntervalMs = 3000
const pingServer = (): void => void call(getPing, {}).catch(() => undefined)

/**
 * Blocks the app while there is no network. The offline state of the browser alone is not sufficient, because
 * a server on the same machine responds without a network.
 */
export function OfflineBlocker() {
  const { t } = useTranslation()
  const { online } = useNetwork()
  const isUnreachable = useSyncExternalStore(isServerUnreachable.watch, isServerUnreachable.read)
  const isOffline = !online && isUnreachable

  // Pings the server as soon as the browser reports offline, and repeatedly until it reports online: no other
  // request may be sent for a while, and a response in transit does not prove a connection.
  useEffect(() => {
    if (online) return
    pingServer()
    const timer = setInterval(pingServer, pingIntervalMs)
    return () => clearInterval(timer)
  }, [online])
  if (!isOffline) return null
  return (
    <Modal.Root opened onClose={() => undefined} closeOnEscape={false} closeOnClickOutside={false} centered>
      <Modal.Overlay />
      <Modal.Content p="lg">
        <Modal.Title fw={650} fz="lg">
          {t('shell:offline.title')}
        </Modal.Title>
        <p>{t('shell:offline.text')}</p>
      </Modal.Content>
    </Modal.Root>
  )
}

/** Top bar and shelf around a page. The mobile live map uses the entire screen unless it is disabled. */
function PageFrame({ content }: { content: RefObject<HTMLElement | null> }) {
  const { t } = useTranslation()
  const [isMenuOpen, setIsMenuOpen] = useState(false)
  const { page } = useCurrentPage()
  const isAdministration = useLocation({ select: ({ pathname }) => pathname.startsWith('/admin') })
  const access = useAccessContext()
  const focusContentTable = (): void => {
    // Pages around a map have their own T shortcut.
    if (!content.current?.querySelector(`[${mapPageMark}]`)) focusTable(content.current)
  }
  useShortcuts([['T', focusContentTable]])
  if (page === 'mobileLive' && (access === null || isPageEnabled(access, page)))
    return (
      <main ref={content} id="content" tabIndex={-1} className={styles['whole']}>
        <Outlet />
      </main>
    )
  return (
    <>
      <a href="#content" className={styles['skip']}>
        {t('shell:skip')}
      </a>
      <div className={styles['frame']}>
        <TopBar onMenu={() => setIsMenuOpen(true)} />
        {/* Administration pages have no shelf, even those of a region. */}
        {isAdministration ? null : <Shelf />}
        <main ref={content} id="content" tabIndex={-1} className={styles['content']}>
          <Outlet />
        </main>
      </div>
      <SmallMenu isOpen={isMenuOpen} onClose={() => setIsMenuOpen(false)} />
    </>
  )
}

/**
 * Loads in parallel what the first page would otherwise load step by step: the organization, the region and
 * the data of the screen. The server checks the permissions of each request, and errors are shown where the
 * data is used. Does nothing for visitors who must sign in first.
 */
function Prefetch() {
  const client = useQueryClient()
  const { Gate } = useContext(ShellSlotsContext)
  const { regionId } = useParams({ strict: false }) as { regionId?: string }
  const prefetchScreen = useMatches({ select: (matches) => matches.at(-1)?.staticData.prefetch })
  const prefetchAll = useEffectEvent(() => {
    const user = rememberedUser()
    if (!user) return
    void Gate?.preload?.()
    void prefetch(client, getOrganization, { params: { organization_id: user.organizationId } })
    if (regionId === undefined) return
    void prefetch(client, getRegion, { params: { region_id: regionId } })
    prefetchScreen?.(client, regionId).catch(() => undefined)
  })
  useEffect(() => prefetchAll(), [])
  return null
}

/** Offers to reload the page after an update of the server. Users may finish their work first. */
function AppUpdatedDialog() {
  const { t } = useTranslation()
  const isOutdated = useSyncExternalStore(hasVersionMismatch.watch, hasVersionMismatch.read)
  const [isPostponed, setIsPostponed] = useState(false)
  if (!isOutdated || isPostponed) return null
  return (
    <Dialog title={t('shell:updated.title')} onClose={() => setIsPostponed(true)}>
      <Text>{t('shell:updated.text')}</Text>
      <Group justify="flex-end" mt="md" gap="sm">
        <Button variant="default" onClick={() => setIsPostponed(true)}>
          {t('shell:updated.later')}
        </Button>
        <Button data-autofocus onClick={() => location.reload()}>
          {t('shell:updated.reload')}
        </Button>
      </Group>
    </Dialog>
  )
}

/** Focuses the content of a new page if the focused element was removed: keyboard users continue there. */
function useFocusRecovery(content: RefObject<HTMLElement | null>): void {
  const router = useRouter()
  useEffect(() => {
    let lastFocused: EventTarget | null = null
    const handleFocusIn = ({ target }: FocusEvent) => {
      lastFocused = target
    }
    document.addEventListener('focusin', handleFocusIn)
    const unsubscribe = router.subscribe('onRendered', ({ pathChanged }) => {
      const isLost =
        lastFocused instanceof Element && !lastFocused.isConnected && document.activeElement === document.body
      if (pathChanged && isLost) content.current?.focus({ preventScroll: true })
    })
    return () => {
      document.removeEventListener('focusin', handleFocusIn)
      unsubscribe()
    }
  }, [router, content])
}

/** Wraps every page of signed-in users. */
export function Shell() {
  // The cache lives as long as the frame, so that data of one user is never shown to the next.
  const [client] = useState(createQueryClient)
  const isLeaving = useSessionEndRedirect(client)
  const content = useRef<HTMLElement>(null)
  useFocusRecovery(content)
  useLostFocus()
  if (isLeaving) return <FullLoading />
  return (
    <QueryClientProvider client={client}>
      <Prefetch />
      <MeProvider>
        <Gated>
          <RegionProvider>
            <PageFrame content={content} />
            <ScreenSizeNotice />
          </RegionProvider>
        </Gated>
      </MeProvider>
      <AppUpdatedDialog />
      <OfflineBlocker />
    </QueryClientProvider>
  )
}

/** Wraps the page in the gate of the identity room, if there is one. */
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
