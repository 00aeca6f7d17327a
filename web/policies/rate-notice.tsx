import { Alert } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { rateStatus, type UnchargedRule } from '#contract/policy-types/mds-rates.ts'
import type { PolicyFields } from '#contract/policy.ts'

/** Whether the rates of an imported policy can be charged; null if it has none. */
export const getRateStatus = ({ imported_mds: mds }: Pick<PolicyFields, 'imported_mds'>, currency: string) =>
  mds && rateStatus(mds, currency)

/** Lists the rates of an imported policy that are not charged, and why; empty if all are charged. */
export function RateNotice({ faults, isCharged }: { faults: readonly UnchargedRule[]; isCharged: boolean }) {
  const { t } = useTranslation()
  if (!faults.length) return null
  return (
    <Alert
      color="yellow"
      mt="sm"
      title={t(isCharged ? 'policies:rates.someNotCharged' : 'policies:rates.notCharged')}
    >
      <ul>
        {faults.map(({ rule_id: id, rule_name: name, fault }) => (
          <li key={id}>
            {name || id}: {t(`policies:rates.fault.${fault}`)}
          </li>
        ))}
      </ul>
      {isCharged ? null : t('policies:rates.whole')}
    </Alert>
  )
}
