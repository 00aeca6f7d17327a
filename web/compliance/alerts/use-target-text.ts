import { useTranslation } from 'react-i18next'
import { operatorName } from '#contract/operators.ts'
import { useOperators } from '#web/filters/use-operators.ts'

interface Target {
  constant_policy_uuid: string | null
  policy_name: string | null
  operator: string | null
}

/** Returns a function that formats the target of a subscription: policy and operator. */
export function useFormatTarget(regionId: string): (target: Target) => string {
  const { t } = useTranslation()
  const operators = useOperators(regionId).data?.items
  return ({ constant_policy_uuid: id, policy_name: name, operator }) => {
    const policy =
      id === null ? t('compliance:alerts.allPolicies') : (name ?? t('compliance:alerts.gonePolicy'))
    if (operator === null) return `${policy} · ${t('compliance:alerts.allOperators')}`
    return `${policy} · ${operators ? operatorName(operator, operators) : operator}`
  }
}
