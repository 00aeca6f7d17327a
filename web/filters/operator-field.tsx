import { MultiSelect } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { listOperators, unknownOperatorText } from '#contract/operators.ts'
import { useEndpointQuery } from '#web/data/query.ts'

interface Props {
  regionId: string
  /** Slugs; none means all. */
  value: readonly string[]
  onChange: (value: string[]) => void
}

export function OperatorField({ regionId, value, onChange }: Props) {
  const { t } = useTranslation()
  const { data } = useEndpointQuery(listOperators, { query: { region_id: regionId, size: 300 } })
  const known = (data?.items ?? []).map(({ slug, name }) => ({
    value: slug,
    label: name || unknownOperatorText,
  }))
  const unknown = value
    .filter((slug) => !known.some((each) => each.value === slug))
    .map((slug) => ({ value: slug, label: data ? unknownOperatorText : slug }))
  return (
    <MultiSelect
      label={t('filters:operators.label')}
      placeholder={value.length === 0 ? t('filters:operators.all') : ''}
      data={[...known, ...unknown]}
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
