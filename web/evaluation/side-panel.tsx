import { ActionIcon, Button } from '@mantine/core'
import { IconAdjustmentsHorizontal, IconChevronDown, IconLayoutSidebarLeftCollapse } from '@tabler/icons-react'
import { useEffect, useRef, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import styles from './side-panel.module.css'

interface Props {
  title: string
  isSmall: boolean
  isOpen: boolean
  onOpen: (isOpen: boolean) => void
  children: ReactNode
}

/** The filters of a map: a panel at the left that can be put away; on a phone a sheet from below, opened by the bar there. */
export function SidePanel({ title, isSmall, isOpen, onOpen, children }: Props) {
  const { t } = useTranslation()
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
      <Button ref={open} className={styles['open'] ?? ''} variant="default" leftSection={<IconAdjustmentsHorizontal size={18} />} aria-expanded={false} onClick={() => onOpen(true)}>
        {t('evaluation:filters')}
      </Button>
    )
  }
  return (
    <section className={styles['panel']} data-small={isSmall || undefined} aria-label={t('evaluation:filters')}>
      {isSmall ? <span className={styles['grip']} aria-hidden="true" /> : null}
      <div className={styles['head']}>
        <h2 className={styles['title']}>{title}</h2>
        <ActionIcon ref={close} variant="subtle" color="gray" size="lg" aria-label={t('evaluation:hideFilters')} aria-expanded onClick={() => onOpen(false)}>
          {isSmall ? <IconChevronDown size={20} /> : <IconLayoutSidebarLeftCollapse size={20} />}
        </ActionIcon>
      </div>
      <div className={styles['fields']}>{children}</div>
    </section>
  )
}
