import { useClickOutside, useHotkeys, useLocalStorage, useMediaQuery } from '@mantine/hooks'
import { Fragment, useRef, useState, type Ref } from 'react'
import { useTranslation } from 'react-i18next'
import { Tooltip, UnstyledButton } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useFocusHandover } from '#web/kit/focus.ts'
import { areasByProduct } from './areas.ts'
import { CurbDrawer } from './curb-drawer.tsx'
import { CurbSwitch } from './curb-switch.tsx'
import { PageLinks } from './page-links.tsx'
import { useRegionContext } from './region.tsx'
import { visibleAreas, type VisibleArea } from './visible-areas.ts'
import { useCurrentPage } from './use-current-page.ts'
import { useAccessContext } from './use-access-context.ts'
import styles from './shelf.module.css'
import { pagePath } from './pages.ts'

interface Props {
  area: VisibleArea
  regionId: string
  isCurrent: boolean
  isOpen: boolean
  buttonRef?: Ref<HTMLButtonElement> | undefined
  onOpen: () => void
  onNavigate: () => void
}

/** An area of the shelf: a link to its page, or a button that opens its drawer. */
function AreaLink({ area, regionId, isCurrent, isOpen, buttonRef, onOpen, onNavigate }: Props) {
  const { t } = useTranslation()
  const content = (
    <>
      <area.Icon size={22} stroke={1.6} aria-hidden="true" />
      <span className={styles['label']}>{t(`shell:areas.${area.key}`)}</span>
    </>
  )
  const name = t(`shell:areaNames.${area.key}`)
  return (
    <Tooltip label={name} position="right" disabled={isOpen || name === t(`shell:areas.${area.key}`)}>
      {area.hasDrawer ? (
        <UnstyledButton
          ref={buttonRef}
          className={styles['area'] ?? ''}
          data-here={isCurrent || undefined}
          aria-expanded={isOpen}
          aria-label={name}
          onClick={onOpen}
        >
          {content}
        </UnstyledButton>
      ) : (
        <Link
          className={styles['area']}
          data-here={isCurrent || undefined}
          aria-current={isCurrent ? 'page' : undefined}
          aria-label={name}
          to={pagePath(regionId, area.entries[0].targetPage)}
          onClick={onNavigate}
        >
          {content}
        </Link>
      )}
    </Tooltip>
  )
}

/**
 * The areas on the left and the drawer of the open area; on wide screens the drawer stays open. In the Curb
 * Manager, the shelf can be replaced by a wider drawer (`CurbDrawer`).
 */
export function Shelf() {
  const { t } = useTranslation()
  const { regionId } = useRegionContext()
  const access = useAccessContext()
  const { product, page } = useCurrentPage()
  const [openKey, setOpenKey] = useState<string | null>(null)
  const [isCurbDrawerOpen, setIsCurbDrawerOpen] = useLocalStorage({
    key: 'publicway.curb-drawer',
    defaultValue: false,
    getInitialValueInEffect: false,
  })
  const isWide = useMediaQuery('(min-width: 1440px)')
  const drawerButton = useRef<HTMLButtonElement>(null)
  const close = () => setOpenKey(null)
  // The button that opens the curb drawer and the one that closes it replace each other.
  const { passFocus, receiverRef } = useFocusHandover()
  const openCurbDrawer = (isOpen: boolean) => {
    passFocus()
    setIsCurbDrawerOpen(isOpen)
  }
  // Closes the drawer on a press outside, or when Tab moves the focus past it.
  const shelfRef = useClickOutside(() => !isWide && close(), ['mousedown', 'touchstart', 'focusin'])
  useHotkeys([
    [
      'Escape',
      () => {
        // The focused element disappears with the drawer, so the focus returns to its button.
        if (shelfRef.current?.contains(document.activeElement)) drawerButton.current?.focus()
        close()
      },
    ],
  ])
  if (!access || !regionId) return null
  if (product === 'curb' && isCurbDrawerOpen)
    return (
      <CurbDrawer
        access={access}
        regionId={regionId}
        currentPage={page}
        onCollapse={() => openCurbDrawer(false)}
        switchRef={receiverRef}
      />
    )
  const areas = visibleAreas(areasByProduct[product], access)
  const openArea = areas.find((area) => area.key === openKey && area.hasDrawer)
  return (
    <nav
      ref={shelfRef}
      className={styles['shelf']}
      data-open={openArea !== undefined || undefined}
      aria-label={t('shell:areas.label')}
    >
      <div className={styles['areas']}>
        {areas.map((area) => (
          <Fragment key={area.key}>
            <AreaLink
              area={area}
              regionId={regionId}
              isCurrent={page !== null && area.entries.some(({ pages }) => pages.includes(page))}
              isOpen={openArea === area}
              buttonRef={openArea === area ? drawerButton : undefined}
              onOpen={() => setOpenKey(openArea === area ? null : area.key)}
              onNavigate={close}
            />
            {openArea === area ? (
              <div className={styles['drawer']}>
                <h2 className={styles['title']}>{t(`shell:areaNames.${openArea.key}`)}</h2>
                <PageLinks
                  entries={openArea.entries}
                  regionId={regionId}
                  currentPage={page}
                  onNavigate={() => !isWide && close()}
                />
              </div>
            ) : null}
          </Fragment>
        ))}
      </div>
      {product === 'curb' ? <CurbSwitch ref={receiverRef} onSwitch={() => openCurbDrawer(true)} /> : null}
    </nav>
  )
}
