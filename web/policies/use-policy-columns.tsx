import { Link } from '@tanstack/react-router'
import { useMemo } from 'react'
import type { ListedPolicy } from '#contract/policies.ts'
import type { TableColumn } from '#web/kit/table/table-column.ts'
import { formatDateRange } from '#web/kit/dates/date-range.ts'
import { timesText } from './clock-text.ts'
import { daysText } from './days-text.ts'
import { placeText } from './place-text.ts'
import styles from './policies.module.css'
import { policyAddress } from './policy-address.ts'
import { StatusMark } from './status-mark.tsx'
import { typeText } from './type-text.ts'
import { operatorsText, vehicleTypesText } from './who-text.ts'
import type { PolicyTextContext } from './policy-text-context.ts'

/** Columns of the policy library. */
export function usePolicyColumns(context: PolicyTextContext): TableColumn<ListedPolicy>[] {
  return useMemo(() => {
    const { t, language } = context
    return [
      {
        key: 'policy_name',
        title: t('policies:table.name'),
        value: (policy) => policy.policy_name,
        renderCell: (policy) => (
          <Link className={styles['name']} to={policyAddress(policy.region_id, policy.constant_policy_uuid)}>
            {policy.policy_name}
          </Link>
        ),
      },
      {
        key: 'policy_type',
        title: t('policies:table.type'),
        value: (policy) => typeText(t, policy.policy_type),
      },
      {
        key: 'geography',
        title: t('policies:table.geography'),
        value: (policy) => placeText(policy, context),
      },
      {
        key: 'operators',
        title: t('policies:table.operators'),
        value: (policy) => operatorsText(policy, context),
      },
      {
        key: 'vehicle_types',
        title: t('policies:table.vehicleTypes'),
        value: (policy) => vehicleTypesText(policy, context),
      },
      {
        key: 'start_date',
        title: t('policies:table.dates'),
        value: (policy) => formatDateRange(t, { from: policy.start_date, to: policy.end_date }, language),
      },
      {
        key: 'when',
        title: t('policies:table.when'),
        value: (policy) =>
          `${daysText(t, policy.days, language)} ${timesText(policy.start_time, policy.end_time)}`,
        renderCell: (policy) => (
          <>
            {daysText(t, policy.days, language)}
            <span className={styles['sub']}>{timesText(policy.start_time, policy.end_time)}</span>
          </>
        ),
      },
      {
        key: 'status',
        title: t('policies:table.status'),
        value: (policy) => t(`policies:status.${policy.status}`),
        renderCell: (policy) => <StatusMark policy={policy} />,
      },
    ]
  }, [context])
}
