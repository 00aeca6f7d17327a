import { Link } from '@tanstack/react-router'
import { useMemo } from 'react'
import type { ListedPolicy } from '#contract/policies.ts'
import { column, type TableColumn } from '#web/kit/table/table-column.ts'
import { formatDateRange } from '#web/kit/dates/date-range.ts'
import { formatTimeWindow } from './clock-text.ts'
import { formatDaysOfWeek } from './days-text.ts'
import { formatPlace } from './place-text.ts'
import styles from './policies.module.css'
import { policyAddress } from './policy-address.ts'
import { StatusMark } from './status-mark.tsx'
import { formatPolicyType } from './type-text.ts'
import { formatOperators, formatVehicleTypes } from './who-text.ts'
import type { PolicyTextContext } from './policy-text-context.ts'

export function usePolicyColumns(context: PolicyTextContext): TableColumn<ListedPolicy>[] {
  return useMemo(() => {
    const { t, language } = context
    return [
      column('policy_name', t('policies:table.name'), (policy) => policy.policy_name, {
        renderCell: (policy) => (
          <Link className={styles['name']} to={policyAddress(policy.region_id, policy.constant_policy_uuid)}>
            {policy.policy_name}
          </Link>
        ),
      }),
      column('policy_type', t('policies:table.type'), (policy) => formatPolicyType(t, policy.policy_type)),
      column('geography', t('policies:table.geography'), (policy) => formatPlace(policy, context)),
      column('operators', t('policies:table.operators'), (policy) => formatOperators(policy, context)),
      column('vehicle_types', t('policies:table.vehicleTypes'), (policy) =>
        formatVehicleTypes(policy, context),
      ),
      column('start_date', t('policies:table.dates'), (policy) =>
        formatDateRange(t, { from: policy.start_date, to: policy.end_date }, language),
      ),
      column(
        'when',
        t('policies:table.when'),
        (policy) =>
          `${formatDaysOfWeek(t, policy.days, language)} ${formatTimeWindow(policy.start_time, policy.end_time)}`,
        {
          renderCell: (policy) => (
            <>
              {formatDaysOfWeek(t, policy.days, language)}
              <span className={styles['sub']}>{formatTimeWindow(policy.start_time, policy.end_time)}</span>
            </>
          ),
        },
      ),
      column('status', t('policies:table.status'), (policy) => t(`policies:status.${policy.status}`), {
        renderCell: (policy) => <StatusMark policy={policy} />,
      }),
    ]
  }, [context])
}
