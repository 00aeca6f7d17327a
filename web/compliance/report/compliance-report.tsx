import { Button } from '@mantine/core'
import { IconPrinter, IconX } from '@tabler/icons-react'
import { useEffect, type CSSProperties } from 'react'
import { useTranslation } from 'react-i18next'
import type { ComplianceRecord } from '#contract/compliance.ts'
import type { LocalDay } from '#contract/period.ts'
import type { ListedPolicy } from '#contract/policies.ts'
import type { Region } from '#contract/regions.ts'
import type { Period } from '#web/evaluation/period-presets.ts'
import { periodText } from '#web/evaluation/period-text.ts'
import { formatMoment } from '#web/kit/format.ts'
import { cssVariables, theme } from '#web/kit/theme.ts'
import { ruleWords } from '#web/policies/rule-words.ts'
import { typeText } from '#web/policies/type-text.ts'
import type { WordGround } from '#web/policies/word-ground.ts'
import type { OperatorTally } from '../tally-records.ts'
import { ReportDays } from './report-days.tsx'
import { ReportDefinitions } from './report-definitions.tsx'
import { ReportShapes } from './report-shapes.tsx'
import { ReportSums } from './report-sums.tsx'
import styles from './report.module.css'

interface Props {
  policy: ListedPolicy
  region: Region
  ground: WordGround
  period: Period
  /** Chosen ones; none is all. */
  operators: readonly string[]
  records: readonly ComplianceRecord[]
  tallies: readonly OperatorTally[]
  days: readonly LocalDay[]
  at: number
  onClose: () => void
}

/** Paper is white in either scheme. */
const paper = cssVariables(theme as Parameters<typeof cssVariables>[0]).light as CSSProperties

/** The same numbers as on the page of the policy, written for paper. */
export function ComplianceReport({
  policy,
  region,
  ground,
  period,
  operators,
  records,
  tallies,
  days,
  at,
  onClose,
}: Props) {
  const { t, i18n } = useTranslation()
  const title = `${t('compliance:report.title')}: ${policy.policy_name}`
  // Browsers name the file that is printed by the title.
  useEffect(() => {
    const before = document.title
    document.title = `${title}, ${period.start_date} – ${period.end_date}`
    return () => {
      document.title = before
    }
  }, [title, period.start_date, period.end_date])
  const facts = [
    [t('compliance:report.region'), region.text],
    [t('policies:field.policy_type'), typeText(t, policy.policy_type)],
    [t('compliance:period'), periodText(period, i18n.language)],
    [
      t('policies:filter.operators'),
      operators.length ? operators.map(ground.operatorName).join(', ') : t('policies:all.operators'),
    ],
    [
      t('compliance:report.made'),
      `${formatMoment(new Date(at).toISOString(), region.timezone)} (${region.timezone})`,
    ],
  ] as const
  const measure = records[0]?.measure ?? 'parking_events'
  return (
    <div className={styles['desk']}>
      <div className={styles['bar']}>
        <Button leftSection={<IconPrinter size={18} />} onClick={() => window.print()}>
          {t('compliance:report.print')}
        </Button>
        <Button variant="default" leftSection={<IconX size={18} />} onClick={onClose}>
          {t('compliance:report.close')}
        </Button>
      </div>
      <article className={styles['paper']} style={paper} aria-label={title}>
        <header className={styles['head']}>
          <p className={styles['kicker']}>{t('compliance:report.title')}</p>
          <h1 className={styles['title']}>{policy.policy_name}</h1>
          <ul className={styles['rule']}>
            {ruleWords(policy, ground).map((line) => (
              <li key={line}>{line}</li>
            ))}
          </ul>
          <dl className={styles['about']}>
            {facts.map(([name, text]) => (
              <div key={name}>
                <dt>{name}</dt>
                <dd>{text}</dd>
              </div>
            ))}
          </dl>
        </header>
        <ReportSums tallies={tallies} operatorName={ground.operatorName} />
        <ReportDays tallies={tallies} days={days} operatorName={ground.operatorName} />
        <ReportShapes records={records} />
        <ReportDefinitions measure={measure} />
      </article>
    </div>
  )
}
