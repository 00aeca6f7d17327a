import { Button, Kbd } from '@mantine/core'
import { IconChevronDown, IconDownload, IconTable } from '@tabler/icons-react'
import { useEffect, useRef, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { downloadMark, StaleRows } from '#web/kit/download-button.tsx'
import styles from './results-drawer.module.css'
import { resultsBarHeight } from './covered-map.ts'
import { useDragHeight } from './use-drag-height.ts'

interface Props {
  isOpen: boolean
  onOpen: (isOpen: boolean) => void
  isSmall: boolean
  /** Whether the table has files to download. */
  hasDownloads?: boolean
  /** Dims the table. */
  isStale?: boolean
  /** Shown in the bar before the results button. */
  before: ReactNode
  /** Buttons for actions on the results. */
  actions: ReactNode
  /** Renders the table at a height in pixels. */
  children: (height: number) => ReactNode
}

/** Height in pixels of the row above the table that has the actions on phones. */
const actionsHeight = 44

/** The drawer with the results as a table. It opens by dragging or pressing its bar, or with the T key. */
export function ResultsDrawer({
  isOpen,
  onOpen,
  isSmall,
  hasDownloads = false,
  isStale = false,
  before,
  actions,
  children,
}: Props) {
  const { t } = useTranslation()
  const { height, handle } = useDragHeight(isOpen, onOpen)
  const bodyHeight = height - resultsBarHeight(isSmall)
  const hasActionsRow = isSmall && actions !== null
  const body = useRef<HTMLDivElement>(null)
  const opensDownloads = useRef(false)
  // Downloads are in the toolbar of the table, because they contain its visible columns. Opens their menu.
  useEffect(() => {
    if (!isOpen || !opensDownloads.current) return
    opensDownloads.current = false
    body.current?.querySelector<HTMLElement>(`[${downloadMark}]`)?.click()
  }, [isOpen])
  return (
    <section className={styles['drawer']} aria-label={t('map:page.results')}>
      <div className={styles['bar']} data-small={isSmall || undefined}>
        {before}
        <Button
          className={styles['handle'] ?? ''}
          variant={isSmall ? 'default' : 'subtle'}
          color="gray"
          aria-expanded={isOpen}
          aria-keyshortcuts="T"
          {...handle}
          leftSection={isOpen ? <IconChevronDown size={18} /> : <IconTable size={18} />}
          rightSection={isSmall ? null : <Kbd size="xs">T</Kbd>}
        >
          {t(isOpen ? 'map:page.hideResults' : 'map:page.showResults')}
        </Button>
        {isSmall ? null : actions}
        {isSmall || isOpen || !hasDownloads ? null : (
          <Button
            variant="subtle"
            color="gray"
            size="compact-sm"
            leftSection={<IconDownload size={16} />}
            disabled={isStale}
            onClick={() => {
              opensDownloads.current = true
              onOpen(true)
            }}
          >
            {t('kit:download')}
          </Button>
        )}
      </div>
      {isOpen ? (
        <div ref={body} className={styles['body']} style={{ height: bodyHeight }}>
          {hasActionsRow ? (
            <div className={styles['actions']} style={{ height: actionsHeight }}>
              {actions}
            </div>
          ) : null}
          <div className={styles['rows']} data-stale={isStale || undefined} aria-busy={isStale || undefined}>
            <StaleRows value={isStale}>
              {children(hasActionsRow ? bodyHeight - actionsHeight : bodyHeight)}
            </StaleRows>
          </div>
        </div>
      ) : null}
    </section>
  )
}
