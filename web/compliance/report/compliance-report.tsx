import { Button, Select } from '@mantine/core'
import { IconPrinter, IconX } from '@tabler/icons-react'
import { useEffect, type CSSProperties } from 'react'
import { useTranslation } from 'react-i18next'
import type { ComplianceRecord, ComplianceMeasure } from '#contract/compliance.ts'
import type { LocalDay } from '#contract/period.ts'
import type { ListedPolicy } from '#contract/policies.ts'
import type { Region } from '#contract/regions.ts'
import { type Period, formatPeriod } from '#web/filters/period.ts'
import { formatDateTime, formatInteger } from '#web/kit/format.ts'
import type { DropdownOption } from '#web/kit/dropdown-parts.tsx'
import { cssVariables, theme } from '#web/kit/theme.ts'
import { ruleWords } from '#web/policies/rule-words.ts'
import { formatPolicyType } from '#web/policies/type-text.ts'
import type { PolicyTextContext } from '#web/policies/policy-text-context.ts'
import { type OperatorTally, tallyAll } from '#web/policies/results/tally-records.ts'
import { ReportDays } from './report-days.tsx'
import styles from './report.module.css'
import { shapeViolations } from '#web/policies/results/shape-violations.ts'
import { JudgementMark } from '#web/policies/results/judgement-mark.tsx'

const figures = ['days', 'compliantDays', 'otherDays', 'violations', 'uncertain'] as const
type Line = Omit<OperatorTally, 'operator' | 'days'>

/** Totals of the days, by operator and for all operators. */
function ReportSums({
  tallies,
  operatorName,
}: {
  tallies: readonly OperatorTally[]
  operatorName: (slug: string) => string
}) {
  const { t } = useTranslation()
  const line = (
    key: string,
    name: string,
    { status, nonCompliantDays, compliantDays, notApplicableDays, violations, uncertain }: Line,
  ) => (
    <tr key={key} data-total={key === '' || undefined}>
      <th scope="row">{name}</th>
      <td>
        <JudgementMark status={status} />
      </td>
      {[nonCompliantDays, compliantDays, notApplicableDays, violations, uncertain].map((number, index) => (
        <td key={index} data-number data-name={t(`compliance:table.${figures[index] ?? 'days'}`)}>
          {formatInteger(number)}
        </td>
      ))}
    </tr>
  )
  return (
    <section className={styles['part']}>
      <h2 className={styles['heading']}>{t('compliance:report.sums')}</h2>
      <table className={`${styles['table']} ${styles['sums']}`}>
        <thead>
          <tr>
            <th scope="col">{t('compliance:table.operator')}</th>
            <th scope="col">{t('compliance:table.status')}</th>
            {figures.map((key) => (
              <th key={key} scope="col" data-number>
                {t(`compliance:table.${key}`)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {tallies.map((tally) => line(tally.operator, operatorName(tally.operator), tally))}
          {tallies.length > 1 ? line('', t('compliance:report.all'), tallyAll(tallies)) : null}
        </tbody>
      </table>
    </section>
  )
}

/** Shapes with violations; empty for a policy that is measured as one area. */
function ReportShapes({ records }: { records: readonly ComplianceRecord[] }) {
  const { t } = useTranslation()
  const rows = shapeViolations(records)
  if (rows.length === 0) return null
  const violated = rows.filter(({ counts }) => counts.nonCompliant > 0)
  return (
    <section className={styles['part']}>
      <h2 className={styles['heading']}>{t('compliance:shapes.label')}</h2>
      {violated.length ? (
        <table className={styles['table']}>
          <thead>
            <tr>
              <th scope="col">{t('compliance:records.shape')}</th>
              <th scope="col" data-number>
                {t('compliance:table.violations')}
              </th>
              <th scope="col" data-number>
                {t('compliance:shapes.nonCompliant')}
              </th>
              <th scope="col" data-number>
                {t('compliance:shapes.compliant')}
              </th>
            </tr>
          </thead>
          <tbody>
            {violated.map(({ id, name, value, counts }) => (
              <tr key={id}>
                <th scope="row">{name}</th>
                <td data-number>{formatInteger(value)}</td>
                <td data-number>{formatInteger(counts.nonCompliant)}</td>
                <td data-number>{formatInteger(counts.compliant)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      ) : null}
      <p>
        {t('compliance:report.keptShapes', {
          count: rows.length - violated.length,
          shown: formatInteger(rows.length - violated.length),
        })}
      </p>
    </section>
  )
}

/** The meaning and method of the figures. */
function ReportDefinitions({ measure }: { measure: ComplianceMeasure }) {
  const { t } = useTranslation()
  return (
    <section className={styles['part']}>
      <h2 className={styles['heading']}>{t('compliance:report.definitions')}</h2>
      <dl className={styles['definitions']}>
        <dt>{t(`compliance:measures.${measure}.name`)}</dt>
        <dd>{t(`compliance:measures.${measure}.definition`)}</dd>
        {(['status', 'broken', 'violations', 'uncertain', 'other'] as const).map((figure) => (
          <div key={figure}>
            <dt>{t(`compliance:figures.${figure}.name`)}</dt>
            <dd>{t(`compliance:figures.${figure}.definition`)}</dd>
          </div>
        ))}
      </dl>
      <p>{t('compliance:method', { measure: t(`compliance:measures.${measure}.name`) })}</p>
    </section>
  )
}

interface Props {
  policy: ListedPolicy
  region: Region
  context: PolicyTextContext
  period: Period
  /** Selected operators; empty for all. */
  operators: readonly string[]
  records: readonly ComplianceRecord[]
  tallies: readonly OperatorTally[]
  days: readonly LocalDay[]
  at: number
  /** The operators as options. */
  options: readonly DropdownOption[]
  /** Receives an empty list for all. */
  onOperators: (operators: string[]) => void
  onClose: () => void
}

/** Value of the option that represents several selected operators. */
const severalOperators = '+'

/** Paper is white in both color schemes. */
const paperColors = cssVariables(theme as Parameters<typeof cssVariables>[0]).light as CSSProperties

/** The print version of a policy's page: tables without controls, with all rows and repeated headers. */
export function ComplianceReport({
  policy,
  region,
  context,
  period,
  operators,
  records,
  tallies,
  days,
  at,
  options,
  onOperators,
  onClose,
}: Props) {
  const { t, i18n } = useTranslation()
  const title = `${t('compliance:report.title')}: ${policy.policy_name}`
  // Browsers use the document title as the name of the printed file.
  useEffect(() => {
    const before = document.title
    document.title = `${title}, ${period.start_date} – ${period.end_date}`
    return () => {
      document.title = before
    }
  }, [title, period.start_date, period.end_date])
  const facts = [
    [t('compliance:report.region'), region.text],
    [t('policies:field.policy_type'), formatPolicyType(t, policy.policy_type)],
    [t('compliance:period'), formatPeriod(period, i18n.language)],
    [
      t('policies:filter.operators'),
      operators.length ? operators.map(context.operatorName).join(', ') : t('policies:all.operators'),
    ],
    [
      t('compliance:report.made'),
      `${formatDateTime(new Date(at).toISOString(), region.timezone)} (${region.timezone})`,
    ],
  ] as const
  const measure = records[0]?.measure ?? 'parking_events'
  return (
    <div className={styles['desk']}>
      <div className={styles['bar']}>
        <Select
          aria-label={t('compliance:report.operators')}
          allowDeselect={false}
          value={operators.length > 1 ? severalOperators : (operators[0] ?? '')}
          data={[
            { value: '', label: t('policies:all.operators') },
            ...(operators.length > 1
              ? [{ value: severalOperators, label: operators.map(context.operatorName).join(', ') }]
              : []),
            ...options.map(({ value, text }) => ({ value, label: text })),
          ]}
          onChange={(value) => {
            if (value !== null && value !== severalOperators) onOperators(value === '' ? [] : [value])
          }}
        />
        <Button leftSection={<IconPrinter size={18} />} onClick={() => window.print()}>
          {t('compliance:report.print')}
        </Button>
        <Button variant="default" leftSection={<IconX size={18} />} onClick={onClose}>
          {t('compliance:report.close')}
        </Button>
      </div>
      <article className={styles['paper']} style={paperColors} aria-label={title}>
        <header className={styles['head']}>
          <p className={styles['kicker']}>{t('compliance:report.title')}</p>
          <h1 className={styles['title']}>{policy.policy_name}</h1>
          <ul className={styles['rule']}>
            {ruleWords(policy, context).map((line) => (
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
        <ReportSums tallies={tallies} operatorName={context.operatorName} />
        <ReportDays tallies={tallies} days={days} operatorName={context.operatorName} />
        <ReportShapes records={records} />
        <ReportDefinitions measure={measure} />
      </article>
    </div>
  )
}
