import { useTranslation } from 'react-i18next'
import type { ComplianceFact } from '#contract/compliance.ts'
import { vehicleTypeName } from '#web/filters/vehicle-type-name.ts'
import { getFactKind, formatFactTimes, formatFactValue } from './fact-text.ts'

interface Props {
  fact: ComplianceFact
  operatorName: (slug: string) => string
  timezone: string
  speedUnit: string | null
}

/** The card of the fact under the pointer. */
export function FactCard({ fact, operatorName, timezone, speedUnit }: Props) {
  const { t } = useTranslation()
  return (
    <div className="figures">
      <strong>
        {operatorName(fact.operator)} {fact.vehicle_id}
      </strong>
      <div>
        {vehicleTypeName(fact.vehicle_type)} · {t(`compliance:facts.kind.${fact.kind}`)}
      </div>
      <div>{formatFactTimes(t, fact, timezone)}</div>
      <div>
        {[formatFactValue(t, fact, speedUnit), t(`compliance:facts.countedAs.${getFactKind(fact)}`)]
          .filter(Boolean)
          .join(' · ')}
      </div>
    </div>
  )
}
