import { MultiSelect } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { listManagedOperators, type ManagedOperator } from '#contract/managed-operators.ts'
import { operatorName as findOperatorName } from '#contract/operators.ts'
import { useEndpointQuery } from '#web/data/query.ts'

/** Returns the operators of the organization; null while they load. */
export function useOperators(): readonly ManagedOperator[] | null {
  return useEndpointQuery(listManagedOperators, {}).data ?? null
}

/** Returns the name of an operator; its slug while the operators load. */
export const getOperatorName = (operators: readonly ManagedOperator[] | null, slug: string): string =>
  operators ? findOperatorName(slug, operators) : slug

interface Props {
  /** Slugs; null for a user of the city, who sees all operators. */
  value: readonly string[] | null
  error: string | undefined
  onChange: (operators: string[] | null) => void
}

/** The operators with data that a user sees. */
export function OperatorChoice({ value, error, onChange }: Props) {
  const { t } = useTranslation()
  const operators = useOperators()
  const slugs = [...new Set([...(operators ?? []).map(({ slug }) => slug), ...(value ?? [])])]
  return (
    <MultiSelect
      label={t('users:field.operators')}
      description={t('users:operators.note')}
      placeholder={value ? undefined : t('users:operators.all')}
      data={slugs.map((slug) => ({ value: slug, label: getOperatorName(operators, slug) }))}
      value={[...(value ?? [])]}
      error={error}
      searchable
      clearable
      clearButtonProps={{ 'aria-label': t('users:operators.clear') }}
      nothingFoundMessage={t('users:operators.unknown')}
      hidePickedOptions
      maxValues={50}
      onChange={(selected) => onChange(selected.length ? selected : null)}
    />
  )
}
