import { UnstyledButton } from '@mantine/core'
import { IconArrowDown, IconArrowUp } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import type { ListedPolicy, PolicyOrder } from '#contract/policies.ts'
import styles from './policies.module.css'
import { PolicyActs, type ActsProps } from './policy-acts.tsx'
import { type PolicyColumn, usePolicyColumns } from './use-policy-columns.tsx'
import type { WordGround } from './word-ground.ts'

interface Props extends Omit<ActsProps, 'policy'> {
  policies: readonly ListedPolicy[]
  ground: WordGround
  sort: PolicyOrder
  onSort: (sort: PolicyOrder) => void
}

interface HeadProps {
  column: PolicyColumn
  sort: PolicyOrder
  onSort: (sort: PolicyOrder) => void
}

function Head({ column: { key, order }, sort, onSort }: HeadProps) {
  const { t } = useTranslation()
  const title = t(`policies:table.${key}`)
  if (!order) return <th scope="col">{title}</th>
  const isDown = sort === `-${order}`
  const isOn = isDown || sort === order
  const Arrow = isDown ? IconArrowDown : IconArrowUp
  return (
    <th scope="col" aria-sort={isOn ? (isDown ? 'descending' : 'ascending') : undefined}>
      <UnstyledButton
        className={styles['sort'] ?? ''}
        title={t('kit:sortBy', { column: title })}
        onClick={() => onSort(sort === order ? `-${order}` : order)}
      >
        {title}
        <Arrow size={14} aria-hidden="true" className={styles['arrow'] ?? ''} data-on={isOn || undefined} />
      </UnstyledButton>
    </th>
  )
}

/** The library's policies, sorted by the server. */
export function PoliciesTable({ policies, ground, sort, onSort, ...acts }: Props) {
  const { t } = useTranslation()
  const columns = usePolicyColumns(ground)
  return (
    // A box that scrolls must be reachable by keyboard.
    <div className={styles['frame']} tabIndex={0} role="region" aria-label={t('policies:table.label')}>
      <table className={styles['table']} aria-label={t('policies:table.label')}>
        <thead>
          <tr>
            {columns.map((column) => (
              <Head key={column.key} column={column} sort={sort} onSort={onSort} />
            ))}
            <th scope="col">
              <span className="only-read">{t('policies:table.acts')}</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {policies.map((policy) => (
            <tr key={policy.constant_policy_uuid}>
              {columns.map(({ key, cell }) => (
                <td key={key}>{cell(policy)}</td>
              ))}
              <td data-acts>
                <PolicyActs policy={policy} {...acts} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
