import { Link } from '@tanstack/react-router'
import { useMemo, type ReactNode } from 'react'
import type { ListedPolicy } from '#contract/policies.ts'
import { formatDateRange } from '#web/kit/dates/date-range.ts'
import { timesText } from './clock-text.ts'
import { daysText } from './days-text.ts'
import { placeText } from './place-text.ts'
import styles from './policies.module.css'
import { policyAddress } from './policy-address.ts'
import { StatusMark } from './status-mark.tsx'
import { typeText } from './type-text.ts'
import { operatorsText, vehicleTypesText } from './who-text.ts'
import type { WordGround } from './word-ground.ts'

export interface PolicyColumn {
  key: 'name' | 'type' | 'geography' | 'operators' | 'vehicleTypes' | 'dates' | 'when' | 'status'
  /** By what the server sorts. */
  order?: 'policy_name' | 'policy_type' | 'start_date' | 'status'
  cell: (policy: ListedPolicy) => ReactNode
}

/** What the library says of each policy. */
export function usePolicyColumns(ground: WordGround): PolicyColumn[] {
  return useMemo(
    () => [
      {
        key: 'name',
        order: 'policy_name',
        cell: (policy) => (
          <Link className={styles['name']} to={policyAddress(policy.region_id, policy.constant_policy_uuid)}>
            {policy.policy_name}
          </Link>
        ),
      },
      { key: 'type', order: 'policy_type', cell: (policy) => typeText(ground.t, policy.policy_type) },
      { key: 'geography', cell: (policy) => placeText(policy, ground) },
      { key: 'operators', cell: (policy) => operatorsText(policy, ground) },
      { key: 'vehicleTypes', cell: (policy) => vehicleTypesText(policy, ground) },
      {
        key: 'dates',
        order: 'start_date',
        cell: (policy) =>
          formatDateRange(ground.t, { from: policy.start_date, to: policy.end_date }, ground.language),
      },
      {
        key: 'when',
        cell: (policy) => (
          <>
            {daysText(ground.t, policy.days, ground.language)}
            <span className={styles['sub']}>{timesText(policy.start_time, policy.end_time)}</span>
          </>
        ),
      },
      { key: 'status', order: 'status', cell: (policy) => <StatusMark policy={policy} /> },
    ],
    [ground],
  )
}
