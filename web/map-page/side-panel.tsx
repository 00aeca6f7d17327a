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
  /** What the panel is called and by what it is opened and put away, where it holds something else than filters. */
  words?: { name: string; open: string; hide: string; icon: ReactNode }
  /** Stays in sight below what scrolls. */
  foot?: ReactNode
  children: ReactNode
}

/** What a map is made of, its filters most of all: a panel at the left that can be put away; on a phone a sheet from below, opened by the bar there. */
export function SidePanel({ title, isSmall, isOpen, onOpen, words, foot, children }: SidePanelProps) {
  const { t } = useTranslation()
  const {
    name,
    open: openText,
    hide,
    icon,
  } = words ?? {
    name: t('map:page.filters'),
    open: t('map:page.filters'),
    hide: t('map:page.hideFilters'),
    icon: <IconAdjustmentsHorizontal size={18} />,
  }
  const close = useRef<HTMLButtonElement>(null)
  const open = useRef<HTMLButtonElement>(null)
  const was = useRef(isOpen)
  // The button that was pressed is gone: the focus goes to the one that undoes it.
  useEffect(() => {
    if (was.current !== isOpen) (isOpen ? close : open).current?.focus({ preventScroll: true })
    was.current = isOpen
  }, [isOpen])

  if (!isOpen) {
    if (isSmall) return null
    return (
      <Button
        ref={open}
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
          ref={close}
          variant="subtle"
          color="gray"
          size="lg"
          aria-label={hide}
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
