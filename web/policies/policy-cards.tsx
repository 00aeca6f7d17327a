import { NativeSelect, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { type ListedPolicy, policyOrders, type PolicyOrder } from '#contract/policies.ts'
import styles from './policies.module.css'
import { RowMenu } from '#web/kit/action-menu.tsx'
import type { PolicyAction } from './policy-actions.ts'
import { policyMenu } from './policy-menu.ts'
import { usePolicyColumns } from './use-policy-columns.tsx'
import type { PolicyTextContext } from './policy-text-context.ts'

interface Props {
  policies: readonly ListedPolicy[]
  context: PolicyTextContext
  sort: PolicyOrder
  onSort: (sort: PolicyOrder) => void
  canEdit: boolean
  onAction: (action: PolicyAction, policy: ListedPolicy) => void
}

/** Text keys of the columns that policies can be sorted by. */
const columnTexts: Record<string, string> = {
  policy_name: 'name',
  policy_type: 'type',
  status: 'status',
  start_date: 'field.start_date',
  end_date: 'field.end_date',
  modified_time: 'modified',
}

/** The policy library on a phone. */
export function PolicyCards({ policies, context, sort, onSort, canEdit, onAction }: Props) {
  const { t } = useTranslation()
  const columns = usePolicyColumns(context)
  const renderCell = (key: string, policy: ListedPolicy) => {
    const column = columns.find((column) => column.key === key)
    return column?.renderCell?.(policy) ?? column?.value(policy)
  }
  const formatOrder = (order: PolicyOrder): string => {
    const key = columnTexts[order.replace('-', '')] ?? 'name'
    const column = t(key.startsWith('field.') ? `policies:${key}` : `policies:table.${key}`)
    return order.startsWith('-') ? t('policies:table.descending', { column }) : column
  }
  return (
    <>
      <NativeSelect
        mb="sm"
        label={t('policies:table.sort')}
        value={sort}
        data={policyOrders.map((order) => ({ value: order, label: formatOrder(order) }))}
        onChange={(event) =>
          onSort(policyOrders.find((order) => order === event.currentTarget.value) ?? sort)
        }
      />
      <ul className={styles['cards']} aria-label={t('policies:table.label')}>
        {policies.map((policy) => (
          <li key={policy.constant_policy_uuid} className={styles['card']}>
            <div>{renderCell('policy_name', policy)}</div>
            <RowMenu {...policyMenu(t, policy, canEdit, onAction)} />
            <div>{renderCell('status', policy)}</div>
            <Text size="sm">
              {renderCell('policy_type', policy)} · {renderCell('geography', policy)}
            </Text>
            <Text size="sm" c="dimmed">
              {renderCell('operators', policy)} · {renderCell('vehicle_types', policy)}
            </Text>
            <Text size="sm" c="dimmed" component="div">
              {renderCell('start_date', policy)} · {renderCell('when', policy)}
            </Text>
          </li>
        ))}
      </ul>
    </>
  )
}
