import { Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { Invoice } from '#contract/invoices.ts'
import { dayFromNumber, dayNumber } from '#contract/period.ts'
import { useToday } from '#web/filters/use-today.ts'
import { formatDay } from '#web/kit/dates/day-text.ts'
import { formatDateTime } from '#web/kit/format.ts'
import { Warning } from '#web/kit/warning.tsx'
import { useRegion } from '#web/shell/region.tsx'
import styles from '../billing.module.css'
import {
  daysWithoutData,
  type InvoiceUser,
  isUnissued,
  isPeriodOpen,
  needsEstimate,
} from './invoice-actions.ts'

/** Maximum number of days that are listed; more are only counted. */
const maxDays = 5

/** Notices about a draft that matter before its approval. */
export function InvoiceNotices({ invoice, user }: { invoice: Invoice; user: InvoiceUser }) {
  const { t, i18n } = useTranslation()
  const { timezone } = useRegion()
  const today = useToday(timezone)
  // Without lines, the empty list of lines explains what to do.
  if (!isUnissued(invoice) || invoice.kind === 'credit_note' || invoice.lines.length === 0) return null
  const days = daysWithoutData(invoice)
  const dayTexts = days.slice(0, maxDays).map((day) => formatDay(day, i18n.language))
  const list = new Intl.ListFormat(i18n.language, { type: 'conjunction' }).format(
    days.length > maxDays
      ? [...dayTexts, t('billing:notice.moreDays', { count: days.length - maxDays })]
      : dayTexts,
  )
  return (
    <>
      {isPeriodOpen(invoice, today) ? (
        <Text>
          {t('billing:notice.periodOpen', {
            day: formatDay(dayFromNumber(dayNumber(invoice.end_date) + 1), i18n.language),
          })}
        </Text>
      ) : null}
      {needsEstimate(invoice) ? (
        <Warning title={t('billing:notice.noData', { count: days.length })}>
          {t(user.can('approve_invoices') ? 'billing:notice.confirm' : 'billing:notice.wait', { days: list })}
        </Warning>
      ) : null}
      {invoice.not_charged.length ? (
        <Warning title={t('billing:notice.notCharged')}>
          <ul className={styles['notes']}>
            {invoice.not_charged.map((rate) => (
              <li key={`${rate.policy_uuid} ${rate.rule_id}`}>
                {t('billing:notice.notChargedRule', { policy: rate.policy_name, rule: rate.rule_name })}{' '}
                {t(`policies:rates.fault.${rate.fault}`)}
              </li>
            ))}
          </ul>
        </Warning>
      ) : null}
      {invoice.as_of === null ? (
        <Warning title={t('billing:notice.preparing')}>{t('billing:notice.preparingText')}</Warning>
      ) : (
        <Text size="sm" c="dimmed">
          {t('billing:notice.asOf', { time: formatDateTime(invoice.as_of, timezone) })}
        </Text>
      )}
    </>
  )
}
