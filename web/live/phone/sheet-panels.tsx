import { Tabs } from '@mantine/core'
import type { ReactNode, Ref } from 'react'
import { useTranslation } from 'react-i18next'
import styles from './sheet-panels.module.css'

export const sheetTabs = ['vehicles', 'filters', 'legend'] as const
export type SheetTab = (typeof sheetTabs)[number]

/** The tabs of the sheet. `first`: ref of the first tab. */
export function SheetTabList({ first }: { first: Ref<HTMLButtonElement> }) {
  const { t } = useTranslation()
  return (
    <Tabs.List grow className={styles['tabs'] ?? ''} aria-label={t('live:tabs.label')}>
      {sheetTabs.map((tab, index) => (
        <Tabs.Tab key={tab} ref={index === 0 ? first : null} value={tab} className={styles['tab'] ?? ''}>
          {t(`live:tabs.${tab}`)}
        </Tabs.Tab>
      ))}
    </Tabs.List>
  )
}

/** The panel of a tab. A scrolling box must be reachable by keyboard. */
export function SheetPanel({
  tab,
  isList = false,
  children,
}: {
  tab: SheetTab
  isList?: boolean
  children: ReactNode
}) {
  return (
    <Tabs.Panel value={tab} className={styles[isList ? 'list' : 'fields'] ?? ''} tabIndex={isList ? -1 : 0}>
      {children}
    </Tabs.Panel>
  )
}
