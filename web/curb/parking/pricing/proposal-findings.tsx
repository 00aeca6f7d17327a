import { useTranslation } from 'react-i18next'
import type { PriceProposalDetail } from '#contract/curb-price-proposals.ts'
import { formatMediumDay } from '#web/kit/dates/calendar-text.ts'
import { formatInteger } from '#web/kit/format.ts'
import styles from './pricing.module.css'
import { formatPricingCell } from './pricing-text.ts'

/** Violated limits and warnings of a proposal, with the other proposals or example rows that they concern. */
export function ProposalFindings({ proposal: { findings, changes } }: { proposal: PriceProposalDetail }) {
  const { t, i18n } = useTranslation()
  return (
    <ul className={styles['findings']}>
      {findings.map(({ code, severity, message, rows, examples, proposals = [] }) => (
        <li key={code} data-severity={severity}>
          {t(`curb:pricing.finding.${code}`)}
          {rows ? ` (${formatInteger(rows)})` : ''}
          {proposals.map((other) => (
            <span key={other.proposal_id} className={styles['sub']}>
              {t('curb:pricing.finding.otherProposal', {
                name: other.name,
                day: formatMediumDay(other.effective_date, i18n.language),
                count: other.zones,
                blocks: formatInteger(other.zones),
                rows: formatInteger(other.rows),
                changes: formatInteger(changes),
              })}
            </span>
          ))}
          <span className={styles['sub']}>
            {message}{' '}
            {[
              ...examples.map((example) => `${example.shape_name} · ${formatPricingCell(t, example)}`),
              ...(rows > examples.length
                ? [t('curb:pricing.finding.more', { shown: formatInteger(rows - examples.length) })]
                : []),
            ].join('; ')}
          </span>
        </li>
      ))}
    </ul>
  )
}
