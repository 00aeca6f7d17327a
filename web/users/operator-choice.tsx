import { MultiSelect } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { operatorName, useOperators } from './use-operators.ts'

interface Props {
  /** Null: somebody of the city. */
  value: readonly string[] | null
  error: string | undefined
  onChange: (operators: string[] | null) => void
}

/** Whose numbers a user sees. */
export function OperatorChoice({ value, error, onChange }: Props) {
  const { t } = useTranslation()
  const operators = useOperators()
  const slugs = [...new Set([...(operators ?? []).map(({ slug }) => slug), ...(value ?? [])])]
  return (
    <MultiSelect
      label={t('users:field.operators')}
      description={t('users:operators.note')}
      placeholder={value ? undefined : t('users:operators.all')}
      data={slugs.map((slug) => ({ value: slug, label: operatorName(operators, slug) }))}
      value={[...(value ?? [])]}
      error={error}
      searchable
      clearable
      clearButtonProps={{ 'aria-label': t('users:operators.clear') }}
      nothingFoundMessage={t('users:operators.unknown')}
      hidePickedOptions
      maxValues={50}
      onChange={(chosen) => onChange(chosen.length ? chosen : null)}
    />
  )
}
