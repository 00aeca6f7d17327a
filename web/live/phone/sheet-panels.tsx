import { Tabs } from '@mantine/core'
import type { ReactNode, Ref } from 'react'
import { useTranslation } from 'react-i18next'
import styles from './sheet-panels.module.css'

export const sheetTabs = ['vehicles', 'filters', 'legend'] as const
export type SheetTab = (typeof sheetTabs)[number]

export function SheetTabList({ firstTabRef }: { firstTabRef: Ref<HTMLButtonElement> }) {
  const { t } = useTranslation()
  return (
    <Tabs.List grow className={styles['tabs'] ?? ''} aria-label={t('live:tabs.label')}>
      {sheetTabs.map((tab, index) => (
        <Tabs.Tab
          key={tab}
          ref={index === 0 ? firstTabRef : null}
          value={tab}
          className={styles['tab'] ?? ''}
        >
          {t(`live:tabs.${tab}`)}
        </Tabs.Tab>
      ))}
    </Tabs.List>
  )
}

interface SheetPanelProps {
  tab: SheetTab
  /** Whether the content is a list that scrolls itself. */
  isList?: boolean
  children: ReactNode
}

/** The panel of a tab. A scrolling box must be reachable by keyboard. */
export function SheetPanel({ tab, isList = false, children }: SheetPanelProps) {
  return (
    <Tabs.Panel value={tab} className={styles[isList ? 'list' : 'fields'] ?? ''} tabIndex={isList ? -1 : 0}>
      {children}
    </Tabs.Panel>
  )
}
