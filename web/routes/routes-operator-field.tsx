import { MultiSelect } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { Operator } from '#contract/operators.ts'

interface Props {
  /** Those whose trips have ways. */
  known: readonly Operator[]
  value: readonly string[]
  onChange: (value: string[]) => void
}

/** Whose trips: only operators that tell ways are offered. */
export function RoutesOperatorField({ known, value, onChange }: Props) {
  const { t } = useTranslation()
  const offered = [
    ...known.map(({ slug, name }) => ({ value: slug, label: name })),
    ...value
      .filter((slug) => !known.some((each) => each.slug === slug))
      .map((slug) => ({ value: slug, label: slug })),
  ]
  return (
    <MultiSelect
      label={t('filters:operators.label')}
      placeholder={value.length === 0 ? t('filters:operators.all') : ''}
      data={offered}
      value={[...value]}
      searchable
      clearable
      hidePickedOptions
      nothingFoundMessage={t('filters:operators.none')}
      clearButtonProps={{ 'aria-label': t('filters:operators.clear') }}
      onChange={onChange}
    />
  )
}
