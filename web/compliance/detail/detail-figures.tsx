import { useTranslation } from 'react-i18next'
import type { ComplianceMeasure } from '#contract/compliance.ts'
import { formatWhole } from '#web/kit/format.ts'
import { JudgementMark } from '../parts/judgement-mark.tsx'
import parts from '../parts/parts.module.css'
import { ToldFigure } from '../parts/told-figure.tsx'
import { tallyAll, type OperatorTally } from '../tally-records.ts'

/** What the days come to, over all operators that are shown. */
export function DetailFigures({
  tallies,
  measure,
}: {
  tallies: readonly OperatorTally[]
  measure: ComplianceMeasure
}) {
  const { t } = useTranslation()
  const { status, violations, uncertain, brokenDays, compliantDays, otherDays } = tallyAll(tallies)
  const method = t('compliance:method', { measure: t(`compliance:measures.${measure}.name`) })
  const measured = t(`compliance:measures.${measure}.definition`)
  return (
    <div className={parts['figures']}>
      <ToldFigure
        label={t('compliance:figures.status.name')}
        value={<JudgementMark status={status} />}
        definition={t('compliance:figures.status.definition')}
        method={method}
      />
      <ToldFigure
        label={t('compliance:figures.broken.name')}
        value={formatWhole(brokenDays)}
        beside={t('compliance:figures.broken.of', {
          count: brokenDays + compliantDays,
          shown: formatWhole(brokenDays + compliantDays),
        })}
        definition={t('compliance:figures.broken.definition')}
        method={method}
      />
      <ToldFigure
        label={t('compliance:figures.violations.name')}
        value={formatWhole(violations)}
        definition={`${t('compliance:figures.violations.definition')} ${measured}`}
        method={method}
      />
      <ToldFigure
        label={t('compliance:figures.uncertain.name')}
        value={formatWhole(uncertain)}
        definition={t('compliance:figures.uncertain.definition')}
        method={method}
      />
      <ToldFigure
        label={t('compliance:figures.other.name')}
        value={formatWhole(otherDays)}
        definition={t('compliance:figures.other.definition')}
        method={method}
      />
    </div>
  )
}
