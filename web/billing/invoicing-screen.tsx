import { Tabs } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type LocalDay, localDay } from '#contract/period.ts'
import { PageHeader } from '#web/kit/page-header.tsx'
import { ReadingPage } from '#web/kit/reading-page.tsx'
import { useMe } from '#web/shell/me.tsx'
import { useRegion } from '#web/shell/region.tsx'
import { useSearchState } from '#web/shell/use-search-state.ts'
import { ChargesTab } from './charges/charges-tab.tsx'
import { Aging } from './payments/aging.tsx'
import styles from './billing.module.css'
import { FeeSummary } from './fee-summary.tsx'
import { InvoiceList } from './invoice-list.tsx'
import { type InvoicingTab, invoicingTabs, readInvoicingSearch, searchOfTab } from './invoicing-search.ts'
import { PaymentList } from './payments/payment-list.tsx'
import { BillingSettingsTab } from './settings/billing-settings-tab.tsx'

const contents: Record<InvoicingTab, (props: { today: LocalDay }) => ReactNode> = {
  fees: FeeSummary,
  invoices: InvoiceList,
  payments: PaymentList,
  aging: Aging,
  charges: ChargesTab,
  settings: BillingSettingsTab,
}

/** Fees and invoices of a region: accrued, invoiced and paid amounts, and the invoice settings. */
export function InvoicingScreen() {
  const { t } = useTranslation()
  const region = useRegion()
  const { user, can } = useMe()
  const [today] = useState(() => localDay(new Date(), region.timezone))
  const { search, push } = useSearchState(readInvoicingSearch)
  const hasSettings = user.operators === null && (can('is_admin') || can('draft_invoices'))
  const tabs = invoicingTabs.filter((tab) => tab !== 'settings' || hasSettings)
  const tab = tabs.find((tab) => tab === search.tab) ?? 'fees'
  const Content = contents[tab]
  return (
    <ReadingPage>
      <PageHeader
        title={t('shell:pages.invoicing')}
        context={t(user.operators === null ? 'billing:context' : 'billing:ownContext', {
          region: region.text,
        })}
      />
      <Tabs
        value={tab}
        onChange={(next) => {
          const selected = tabs.find((tab) => tab === next)
          if (selected) push(searchOfTab(selected, search))
        }}
      >
        <Tabs.List className={`${styles['tabs']} ${styles['list']}`} aria-label={t('billing:tabs.label')}>
          {tabs.map((key) => (
            <Tabs.Tab key={key} value={key}>
              {t(`billing:tabs.${key}`)}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        {tabs.map((key) => (
          <Tabs.Panel key={key} value={key}>
            {key === tab ? <Content today={today} /> : null}
          </Tabs.Panel>
        ))}
      </Tabs>
    </ReadingPage>
  )
}
