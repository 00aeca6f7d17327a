import { ActionIcon, Button } from '@mantine/core'
import {
  IconAdjustmentsHorizontal,
  IconChevronDown,
  IconLayoutSidebarLeftCollapse,
} from '@tabler/icons-react'
import { useEffect, useRef, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import styles from './side-panel.module.css'

export interface SidePanelProps {
  title: string
  isSmall: boolean
  isOpen: boolean
  onOpen: (isOpen: boolean) => void
  /** Texts and icon of a panel that contains something else than filters. */
  words?: { name: string; open: string; hide: string; icon: ReactNode }
  /** Always visible below the scrolling fields. */
  foot?: ReactNode
  children: ReactNode
}

/** Settings of a map, usually its filters: a panel at the left that can be hidden, or a sheet on a phone. */
export function SidePanel({ title, isSmall, isOpen, onOpen, words, foot, children }: SidePanelProps) {
  const { t } = useTranslation()
  const filterWords = {
    name: t('map:page.filters'),
    open: t('map:page.filters'),
    hide: t('map:page.hideFilters'),
    icon: <IconAdjustmentsHorizontal size={18} />,
  }
  const { name, open: openText, hide: hideText, icon } = words ?? filterWords
  const hideButton = useRef<HTMLButtonElement>(null)
  const openButton = useRef<HTMLButtonElement>(null)
  const wasOpen = useRef(isOpen)
  // The pressed button disappears, so the focus moves to its counterpart.
  useEffect(() => {
    if (wasOpen.current !== isOpen) (isOpen ? hideButton : openButton).current?.focus({ preventScroll: true })
    wasOpen.current = isOpen
  }, [isOpen])
  if (!isOpen) {
    if (isSmall) return null
    return (
      <Button
        ref={openButton}
        className={styles['open'] ?? ''}
        variant="default"
        leftSection={icon}
        aria-expanded={false}
        onClick={() => onOpen(true)}
      >
        {openText}
      </Button>
    )
  }
  return (
    <section className={styles['panel']} data-small={isSmall || undefined} aria-label={name}>
      {isSmall ? <span className={styles['grip']} aria-hidden="true" /> : null}
      <div className={styles['head']}>
        <h2 className={styles['title']}>{title}</h2>
        <ActionIcon
          ref={hideButton}
          variant="subtle"
          color="gray"
          size="lg"
          aria-label={hideText}
          aria-expanded
          onClick={() => onOpen(false)}
        >
          {isSmall ? <IconChevronDown size={20} /> : <IconLayoutSidebarLeftCollapse size={20} />}
        </ActionIcon>
      </div>
      <div className={styles['fields']}>{children}</div>
      {foot ? <div className={styles['foot']}>{foot}</div> : null}
    </section>
  )
}
