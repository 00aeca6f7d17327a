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
import { createQueryClient, prefetch } from '#web/data/query.ts'
import { FullLoading } from '#web/kit/full-loading.tsx'
import { MeProvider } from './me.tsx'
import { RegionProvider } from './region.tsx'
import { ScreenSizeNotice } from './screen-size-notice.tsx'
import { ShellSlotsContext } from './screen-entry.ts'
import { useRouter, useMatches, useParams, Outlet, useLocation, useNavigate } from '@tanstack/react-router'
import { Button, Group, Text, Modal } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import {
  hasVersionMismatch,
  isServerUnreachable,
  sessionEnd,
  type SessionEndReason,
} from '#web/data/signals.ts'
import { Dialog } from '#web/kit/dialog.tsx'
import { getOrganization } from '#contract/organizations.ts'
import { getRegion } from '#contract/regions.ts'
import { rememberedUser } from './browser-storage.ts'
import { isPageEnabled } from './features.ts'
import { Shelf } from './shelf.tsx'
import styles from './shell.module.css'
import { SmallMenu } from './small-menu.tsx'
import { TopBar } from './top-bar.tsx'
import { useCurrentPage } from './use-current-page.ts'
import { useAccessContext } from './use-access-context.ts'
import { useNetwork } from '@mantine/hooks'
import { getPing } from '#contract/identity.ts'
import { call } from '#web/data/client.ts'
import { signOut } from '#web/data/session.ts'
import { forgetSession } from './forget-session.ts'

/** The server has to be told of these; it knows of the others. */
const clientSideEndReasons: readonly SessionEndReason[] = ['refused', 'idle', 'tooOld']
/** The sign-in page says these, so that nobody wonders. */
const explainedEndReasons: readonly SessionEndReason[] = ['idle', 'tooOld']

/** When the session is over, leads to the sign-in page, which leads back here afterwards. Answers whether it is on the way: nothing is shown any more. */
function useSessionEndRedirect(client: QueryClient): boolean {
  const end = useSyncExternalStore(sessionEnd.watch, sessionEnd.read)
  const [first] = useState(end)
  const { href } = useLocation()
  const navigate = useNavigate()
  const isLeaving = end !== null && end !== first
  const hasLeft = useRef(false)

  const leave = useEffectEvent(async (reason: SessionEndReason) => {
    // Calls that went out together fail together: the first says it for all.
    if (hasLeft.current) return
    hasLeft.current = true
    // Without an answer the cookie is still there: the stale time of the last act keeps the next visitor out.
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
    if (end && isLeaving) void leave(end.reason)
  }, [end, isLeaving])
  return isLeaving
}

const pingIntervalMs = 3000
const pingServer = (): void => void call(getPing, {}).catch(() => undefined)

/**
 * Stands in the way while there is no network. That the browser says so is not enough: a server on the same machine
 * answers without any network.
 */
export function OfflineBlocker() {
  const { t } = useTranslation()
  const { online } = useNetwork()
  const isUnreachable = useSyncExternalStore(isServerUnreachable.watch, isServerUnreachable.read)
  const isOffline = !online && isUnreachable

  // Nothing else may ask the server for long: it is asked as soon as the browser says so, and again until the browser
  // says otherwise, because an answer that was on its way is no network.
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

/** What stands around a page: bar and shelf. The mobile live map has the screen to itself; where it is off, the frame leads on. */
function PageFrame({ content }: { content: RefObject<HTMLElement | null> }) {
  const { t } = useTranslation()
  const [menuOpen, setMenuOpen] = useState(false)
  const { page } = useCurrentPage()
  const access = useAccessContext()
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
        <TopBar onMenu={() => setMenuOpen(true)} />
        <Shelf />
        <main ref={content} id="content" tabIndex={-1} className={styles['content']}>
          <Outlet />
        </main>
      </div>
      <SmallMenu opened={menuOpen} onClose={() => setMenuOpen(false)} />
    </>
  )
}

/**
 * Asks at once for what the first page is going to ask for step by step: who belongs where, the region, what the screen shows. The
 * server answers each by what the viewer may see, and what is refused is told where it is needed. Not for somebody who must sign in first.
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

/** The server was updated while this page was open. Whoever is in the middle of something may go on first. */
function AppUpdated() {
  const { t } = useTranslation()
  const isOther = useSyncExternalStore(hasVersionMismatch.watch, hasVersionMismatch.read)
  const [isLater, setLater] = useState(false)
  if (!isOther || isLater) return null
  return (
    <Dialog title={t('shell:updated.title')} onClose={() => setLater(true)}>
      <Text>{t('shell:updated.text')}</Text>
      <Group justify="flex-end" mt="md" gap="sm">
        <Button variant="default" onClick={() => setLater(true)}>
          {t('shell:updated.later')}
        </Button>
        <Button data-autofocus onClick={() => location.reload()}>
          {t('shell:updated.reload')}
        </Button>
      </Group>
    </Dialog>
  )
}

/** Where the page that one left took the focus along with it, the new page's content gets it: the keyboard does not begin anew at the top. */
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

/** Around every page of signed-in users. */
export function Shell() {
  // Answers live as long as the frame: what one user was answered is never shown to the next.
  const [client] = useState(createQueryClient)
  const isLeaving = useSessionEndRedirect(client)
  const content = useRef<HTMLElement>(null)
  useFocusRecovery(content)

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
